//! Plain models of rules, written from their texts alone: a board of letters, and
//! loops over it. They share nothing with the referee, and are compared with it over
//! random games: legal points, fouls, captures, results.

mod board;
mod driver;
mod five;
mod four;
mod opening_vectors;
mod openings;
mod pente;
mod vectors;
