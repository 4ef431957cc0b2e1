//! The socket of a page: commands in, events out.

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::browser;
use super::shared::{OpenPage, Shared};
use super::thread::SearchThread;
use crate::model::{Folder, MAX_BYTES, Model};
use crate::schema::Event;

/// Capacity of the channel from the search thread.
const WAITING: usize = 32;

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Accepts a WebSocket request, and serves the page over the socket.
pub(super) fn open(mut request: Request, page: OpenPage) -> Response {
    let upgrade = request.extensions_mut().remove::<OnUpgrade>();
    let answer = create_response_with_body(&request, Body::empty);
    let (Some(upgrade), Ok(answer)) = (upgrade, answer) else {
        return (StatusCode::BAD_REQUEST, "A WebSocket request was expected.").into_response();
    };
    tokio::spawn(async move {
        let Ok(stream) = upgrade.await else { return };
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MAX_BYTES))
            .max_frame_size(Some(MAX_BYTES));
        let stream = TokioIo::new(stream);
        let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(limits)).await;
        serve(socket, &page.0).await;
    });
    answer.into_response()
}

/// Serves a page until it disconnects.
async fn serve(mut socket: Socket, shared: &Shared) {
    // The browser has opened the page.
    browser::forget();
    let (sender, mut results) = mpsc::channel(WAITING);
    let Shared { hash, weights, trees, searching, .. } = shared;
    let thread = SearchThread::start((hash, weights), trees, sender, searching.clone());
    let thread = match thread {
        Ok(thread) => thread,
        Err(error) => {
            let text = format!("The search thread cannot be started: {error}.");
            let _ = send(&mut socket, &[Event::Refused { text }]).await;
            return;
        }
    };
    let folder = shared.folder.clone().map(|folder| Box::new(folder) as Box<dyn Folder>);
    let mut model = Model::new(Box::new(thread), folder, shared.limits)
        .with_trees(Box::new(shared.trees.clone()));
    if let Some(databases) = &shared.databases {
        model = model.with_databases(Box::new(databases.clone()));
    }
    loop {
        let events = tokio::select! {
            // Results come first: a command checks the clock, which must not expire while a ply
            // of the engine is waiting here.
            biased;
            found = results.recv() => match found {
                Some((number, found, at)) => model.found(number, found, at),
                None => return,
            },
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => model.handle_command(text.as_str()),
                Some(Ok(Message::Binary(_))) => {
                    vec![Event::Refused { text: "Commands must be text.".into() }]
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
        };
        if send(&mut socket, &events).await.is_err() {
            return;
        }
    }
}

/// Sends events to the page.
///
/// # Errors
/// The page has disconnected.
async fn send(socket: &mut Socket, events: &[Event]) -> Result<(), Error> {
    for event in events {
        // Only maps with keys other than strings could fail.
        let text = serde_json::to_string(event).unwrap_or_default();
        socket.send(Message::Text(text.into())).await?;
    }
    Ok(())
}
