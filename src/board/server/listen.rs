//! The server: listens, and routes requests.

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
use goren_engine::{TableHandle, WeightSet};
use goren_notation::forms::ENDINGS;

/// Default port.
const DEFAULT_PORT: u16 = 5515;
/// Time limit for searches to end when the server shuts down.
const SHUTDOWN_TIME: Duration = Duration::from_secs(1);

/// Options of the server.
#[derive(Clone)]
pub struct Options {
    /// The port; 0 for any free port. `None` for the default port, or a free port if that is
    /// taken.
    pub port: Option<u16>,
    /// The folder whose files the page may read and write, if any.
    pub folder: Option<PathBuf>,
    /// A further folder of winning trees.
    pub trees: Option<PathBuf>,
    /// Maximum number of search threads of a page.
    pub threads: usize,
    /// Seed of the random choices of levels below full; `None` for a new one in each game.
    pub seed: Option<u64>,
    /// Weights of the evaluation.
    pub weights: WeightSet,
    /// Size in bytes of the transposition table, which all pages share.
    pub memory: usize,
}

/// A listening server.
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
            // Browsers store data per port, so the port should stay the same.
            None => match listen(DEFAULT_PORT).await {
                Ok(listener) => Ok(listener),
                Err(_) => listen(0).await,
            },
        };
        let failure = || match options.port {
            Some(port) if port > 0 => format!("cannot listen on port {port}"),
            _ => "cannot listen on any port".into(),
        };
        let listener = listener.with_context(failure)?;
        let port = listener.local_addr()?.port();
        let shared = Shared {
            guard: Guard::new(port)?,
            folder,
            databases,
            trees,
            limits: Limits { threads: options.threads.max(1), seed: options.seed },
            hash: TableHandle::up_to(options.memory),
            weights: options.weights.clone(),
            pages: AtomicUsize::new(0),
            searching: Arc::default(),
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// Returns the URL of the page, with the token.
    pub fn address(&self) -> String {
        self.shared.guard.address()
    }

    /// Returns a monitor of its load.
    pub fn load(&self) -> Load {
        Load(self.shared.clone())
    }

    /// Serves until `end`, then closes the open sockets.
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

/// Serves the board until Ctrl-C; calls `ready` with the URL.
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
            // Without Ctrl-C the server runs until the process is killed.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        server.serve(end).await
    });
    // This closes the pages and stops their searches.
    runtime.shutdown_timeout(SHUTDOWN_TIME);
    browser::forget();
    served
}

/// Passes on requests of the page itself, and refuses all others.
async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    shared.guard.protect(response.headers_mut());
    response
}

/// Answers with a file of the page.
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
