//! Who may ask: requests with the token that come from the page itself.

use anyhow::{Context, Result};
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, UPGRADE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rand::TryRng;
use rand::rngs::SysRng;

/// Letters of the token.
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
/// Length of the token: 160 bits.
const TOKEN: usize = 32;

/// Why a request is refused. It says no more than that.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// The name or the address asked for is not this server.
    Host,
    /// A page from elsewhere asks.
    Origin,
    /// The token is wrong or missing.
    Token,
    /// Something is to be changed here.
    Method,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Refusal::Host => (StatusCode::FORBIDDEN, "The Host header does not name this server."),
            Refusal::Origin => (StatusCode::FORBIDDEN, "Only the board's own page may ask."),
            Refusal::Token => (StatusCode::NOT_FOUND, "There is no such page."),
            Refusal::Method => (StatusCode::METHOD_NOT_ALLOWED, "Only GET is allowed."),
        };
        (status, text).into_response()
    }
}

/// Checks requests of a server.
pub(super) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// With a new token.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn new(port: u16) -> Result<Guard> {
        Ok(Guard { token: token()?, port })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// The part of a path behind the token; `None` without the token.
    pub(super) fn inner<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix('/')?.strip_prefix(&self.token)?.strip_prefix('/')
    }

    /// Whether a request may pass.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        // A name that was made to lead here (DNS rebinding) is not ours.
        if !one(headers, &HOST).is_some_and(|host| self.is_own(host)) {
            return Err(Refusal::Host);
        }
        let from_here =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_own(host));
        let origin_fits = match one(headers, &ORIGIN) {
            Some(origin) => from_here(origin),
            // Browsers send it with every socket; without a socket only with what is not
            // a plain visit.
            None => !headers.contains_key(ORIGIN) && !headers.contains_key(UPGRADE),
        };
        if !origin_fits {
            return Err(Refusal::Origin);
        }
        if self.inner(request.uri().path()).is_none() {
            return Err(Refusal::Token);
        }
        if request.method() != Method::GET {
            return Err(Refusal::Method);
        }
        Ok(())
    }

    /// Whether a host with its port is this server.
    fn is_own(&self, host: &str) -> bool {
        let own = ["127.0.0.1", "localhost"];
        own.iter().any(|name| {
            let port = host.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
            port.and_then(|port| port.parse().ok()) == Some(self.port)
        })
    }

    /// Adds to an answer what a browser is told about it: nothing from elsewhere is
    /// loaded, nobody shows it in a frame, nobody learns the address.
    pub(super) fn protect(&self, headers: &mut HeaderMap) {
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
             connect-src 'self' ws://127.0.0.1:{0} ws://localhost:{0}; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
            self.port
        );
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
        let fixed = [
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (REFERRER_POLICY, "no-referrer"),
            (CACHE_CONTROL, "no-store"),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        ];
        for (name, value) in fixed {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// The text of a header that is there once.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok()
}

/// Random letters from the system.
fn token() -> Result<String> {
    let mut bytes = [0; TOKEN];
    SysRng.try_fill_bytes(&mut bytes).context("the system gives no random numbers")?;
    Ok(bytes.iter().map(|&byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()])).collect())
}
