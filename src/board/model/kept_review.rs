//! A review as stored with its tree.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::reviewed::{Reviewed, winner};
use super::tree::Tree;
use crate::schema::ReviewState;
use goren_core::types::{Cell, Score, WIN};
use goren_review::judge::{Judged, Judgement, text};

/// The stored review of a line of the tree.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptReview {
    /// The indices of its nodes in the stored tree.
    line: Vec<usize>,
    /// Whether the review was complete.
    done: bool,
    plies: Vec<KeptPly>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptPly {
    number: usize,
    best: Score,
    played: Score,
    line: Vec<Cell>,
    reply: Vec<Cell>,
    depth: u32,
    nodes: u64,
}

/// Stores the part of a review whose nodes are still in the tree; `places` maps nodes to
/// indices.
pub(super) fn keep(review: &Reviewed, places: &BTreeMap<usize, usize>) -> KeptReview {
    let line: Vec<usize> =
        review.nodes.iter().map_while(|node| places.get(node).copied()).collect();
    let kept = |ply: &Judged| {
        let Judgement { line, reply, best, played, depth, nodes } = ply.judgement.clone()?;
        Some(KeptPly { number: ply.number, best, played, line, reply, depth, nodes })
    };
    let plies = review.plies.iter().filter(|ply| ply.number <= line.len()).filter_map(kept);
    KeptReview { plies: plies.collect(), done: review.state == ReviewState::Done, line }
}

/// Restores the review of a tree; `ids` maps indices to nodes. Returns `None` if the review has
/// no nodes.
///
/// # Errors
/// It does not belong to the tree.
pub(super) fn restore(kept: KeptReview, tree: &Tree, ids: &[usize]) -> Result<Option<Reviewed>> {
    let broken = || "the review does not belong to the tree";
    let node = |place: usize| ids.get(place).copied().with_context(broken);
    let nodes = kept.line.into_iter().map(node).collect::<Result<Vec<usize>>>()?;
    let parents = std::iter::once(0).chain(nodes.iter().copied());
    let follow = parents.zip(&nodes).all(|(parent, &node)| tree.parent_of(node) == Some(parent));
    ensure!(follow, broken());
    let Some(&last) = nodes.last() else { return Ok(None) };
    let game_state = tree.game_at(last)?;
    let mut before = game_state.clone();
    before.take_back(game_state.actions().len());
    let mut found = kept.plies.into_iter().peekable();
    let mut plies = Vec::new();
    for (number, action) in (1..).zip(game_state.actions()) {
        let judgement = found.next_if(|ply| ply.number == number).map(|ply| {
            let KeptPly { line, reply, best, played, depth, nodes, .. } = ply;
            Judgement { line, reply, best, played, depth, nodes }
        });
        let possible = |judgement: &Judgement| {
            (-WIN..=WIN).contains(&judgement.best)
                && (-WIN..=judgement.best).contains(&judgement.played)
        };
        ensure!(judgement.as_ref().is_none_or(possible), broken());
        plies.push(Judged {
            number,
            color: before.to_move(),
            cells: action.placed(),
            text: text(&before, action),
            judgement,
        });
        before.apply(action)?;
    }
    ensure!(found.next().is_none(), broken());
    Ok(Some(Reviewed {
        winner: winner(&game_state, tree.heading.end_at(last)),
        opening_plies: tree.opening_plies(last),
        game_state,
        nodes,
        time: Duration::ZERO,
        work: None,
        plies,
        state: if kept.done { ReviewState::Done } else { ReviewState::Stopped },
        making: None,
    }))
}
