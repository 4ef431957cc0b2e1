//! What the client has set up: its settings and its game.

pub mod command_error;
pub mod continuous;
pub mod five_position;
pub mod game_at_hand;
pub mod last_score;
pub mod played_game;
pub mod requested_game;
pub mod settings;
pub mod times;
pub mod weights;
