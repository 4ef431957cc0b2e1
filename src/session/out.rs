//! Where replies go.

use goren_protocol::Reply;

/// Where replies go.
pub type Out<'a> = &'a mut dyn FnMut(Reply);
