//! The function that receives replies.

use goren_protocol::Reply;

/// Receives each reply.
pub type Out<'a> = &'a mut dyn FnMut(Reply);
