//! The server: what it listens to, and which request goes where.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use super::databases::FolderDatabases;
use super::folder::NamedFolder;
use super::guard::Guard;
use super::shared::{Load, OpenPage, Shared};
use super::trees::Trees;
use super::{assets, browser, socket};
use crate::model::Limits;
use goren_engine::{Hash, WeightSet};
use goren_notation::forms::ENDINGS;

/// The port unless another is asked for.
const USUAL_PORT: u16 = 5515;
/// Time for searches to end with the server.
const LAST: Duration = Duration::from_secs(1);

/// What the server is started with.
#[derive(Clone)]
pub struct Options {
    /// The port; 0 for one that is free. `None` for the usual one, or one that is free
    /// where that is taken.
    pub port: Option<u16>,
    /// The folder whose files the page may read and write, if any.
    pub folder: Option<PathBuf>,
    /// Another folder of winning trees, beside that one.
    pub trees: Option<PathBuf>,
    /// Most search threads of a page.
    pub threads: usize,
    /// Seed of what a level below full chooses by chance; `None` for another in each game.
    pub seed: Option<u64>,
    /// Weights of the evaluation.
    pub weights: WeightSet,
    /// Bytes of the transposition table, which all pages share.
    pub memory: usize,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Listens on the loopback address.
    ///
    /// # Errors
    /// The port is taken, or a path of `options` is not a folder.
    pub async fn bind(options: &Options) -> Result<Server> {
        let folder = options.folder.as_deref();
        let folder = folder.map(|path| NamedFolder::open(path, ENDINGS)).transpose()?;
        let databases = options.folder.as_deref().map(FolderDatabases::of).transpose()?;
        let trees = Trees::open(options.folder.iter().chain(&options.trees).cloned())?;
        let listen = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        let listener = match options.port {
            Some(port) => listen(port).await,
            // What a browser keeps belongs to a port: the same is taken if possible.
            None => match listen(USUAL_PORT).await {
                Ok(listener) => Ok(listener),
                Err(_) => listen(0).await,
            },
        };
        let place = || match options.port {
            Some(port) if port > 0 => format!("cannot listen on port {port}"),
            _ => "cannot listen on any port".into(),
        };
        let listener = listener.with_context(place)?;
        let port = listener.local_addr()?.port();
        let shared = Shared {
            guard: Guard::new(port)?,
            folder,
            databases,
            trees,
            limits: Limits { threads: options.threads.max(1), seed: options.seed },
            hash: Hash::up_to(options.memory),
            weights: options.weights.clone(),
            pages: AtomicUsize::new(0),
            searching: Arc::default(),
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// The address of the page, with the token.
    pub fn address(&self) -> String {
        self.shared.guard.address()
    }

    /// How busy it is.
    pub fn load(&self) -> Load {
        Load(self.shared.clone())
    }

    /// Serves until `end`; sockets that are open then are closed.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn serve(self, end: impl Future<Output = ()> + Send) -> Result<()> {
        let socket = format!("/{}/socket", self.shared.guard.token());
        let app = Router::new()
            .route(&socket, get(open_socket))
            .fallback(asset)
            .layer(middleware::from_fn_with_state(self.shared.clone(), guarded))
            .with_state(self.shared.clone());
        let served = axum::serve(self.listener, app).into_future();
        tokio::select! {
            served = served => served.context("the server has ended"),
            () = end => Ok(()),
        }
    }
}

/// Serves the board until Ctrl-C; `ready` is told the address.
///
/// # Errors
/// As [`Server::bind`], or an I/O error.
pub fn run(options: &Options, ready: impl FnOnce(&str)) -> Result<()> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(async {
        let server = Server::bind(options).await?;
        ready(&server.address());
        let end = async {
            // Where there is no Ctrl-C to wait for, it ends as any program is ended.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        server.serve(end).await
    });
    // Pages are closed with it, and their searches stopped.
    runtime.shutdown_timeout(LAST);
    browser::forget();
    served
}

/// Lets through what the page itself sends.
async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    shared.guard.protect(response.headers_mut());
    response
}

/// A file of the page.
async fn asset(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let name = shared.guard.inner(request.uri().path());
    match name.and_then(assets::find) {
        Some(asset) => asset.into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.").into_response(),
    }
}

async fn open_socket(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let Some(page) = OpenPage::new(&shared) else {
        let text = "Too many pages are open.";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    socket::open(request, page)
}
