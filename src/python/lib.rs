//! The Python package `goren`: rules and games, files of games, analysis and solvers,
//! winning trees, and training games as NumPy arrays.
//!
//! `goren/__init__.pyi` has the types and the documentation that users read. Bad input raises a
//! Python exception (`error.rs`). During long work other Python threads run, and Ctrl-C ends
//! searches and checks (`attended.rs`).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod attended;
mod engine;
mod error;
mod files;
mod game;
mod limits;
mod number;
mod position;
mod solve;
mod training;
mod trees;

/// The compiled part of the package.
#[pyo3::pymodule]
mod _goren {
    #[pymodule_export]
    use crate::engine::{Analysis, Engine, Line};
    #[pymodule_export]
    use crate::error::{GorenError, IllegalMove};
    #[pymodule_export]
    use crate::files::{RecordedGame, Variation, parse_games, read_games, read_renlib};
    #[pymodule_export]
    use crate::game::{Foul, Game, Outcome, games};
    #[pymodule_export]
    use crate::solve::{SolvedValue, Win, four_in_a_row_value};
    #[pymodule_export]
    use crate::training::{
        PositionStream, Positions, TrainingGame, TrainingGames, load_positions, read_positions,
        read_training,
    };
    #[pymodule_export]
    use crate::trees::{TreeCheck, WinningTree};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
