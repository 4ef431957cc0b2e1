//! Access control: allows only requests with the token that come from the page itself.

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

/// Why a request is refused. The answer reveals nothing else.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// The host of the request is not this server.
    Host,
    /// The request comes from a foreign page.
    Origin,
    /// The token is wrong or missing.
    Token,
    /// The method is not GET.
    Method,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Refusal::Host => (StatusCode::FORBIDDEN, "The Host header does not name this server."),
            Refusal::Origin => (StatusCode::FORBIDDEN, "Requests must come from the board's page."),
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
    /// Creates a guard with a new token.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn new(port: u16) -> Result<Guard> {
        Ok(Guard { token: token()?, port })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Returns the URL of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Returns the part of a path after the token; `None` without the token.
    pub(super) fn inner<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix('/')?.strip_prefix(&self.token)?.strip_prefix('/')
    }

    /// Checks whether a request is allowed.
    ///
    /// # Errors
    /// The reason to refuse it.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        // DNS rebinding: a foreign name may resolve to this address.
        if !single(headers, &HOST).is_some_and(|host| self.is_own(host)) {
            return Err(Refusal::Host);
        }
        let is_own_origin =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_own(host));
        let origin_fits = match single(headers, &ORIGIN) {
            Some(origin) => is_own_origin(origin),
            // Browsers send it with every WebSocket request, but not with a plain visit.
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

    /// Whether a host with port is this server.
    fn is_own(&self, host: &str) -> bool {
        let own = ["127.0.0.1", "localhost"];
        own.iter().any(|name| {
            let port = host.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
            port.and_then(|port| port.parse().ok()) == Some(self.port)
        })
    }

    /// Adds security headers to an answer: the browser loads nothing from other hosts, shows the
    /// page in no frame, and does not reveal its URL.
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

/// Returns the value of a header that is present exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok()
}

/// Creates a token from random bytes of the system.
fn token() -> Result<String> {
    let mut bytes = [0; TOKEN];
    SysRng.try_fill_bytes(&mut bytes).context("cannot get random numbers from the system")?;
    Ok(bytes.iter().map(|&byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()])).collect())
}
