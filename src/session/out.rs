//! Type of the function that receives replies.

use goren_protocol::Reply;

/// Where replies go.
pub type Out<'a> = &'a mut dyn FnMut(Reply);
