//! Survey as JSON.
//!
//! ```json
//! {"game":"renju","width":15,"height":15,"to_move":"black","ended":null,
//!  "sides":[{"color":"black","squares":[{"at":"h8","forbidden":false,
//!    "fork":{"threats":"P32×P21","kind":"four-three"},
//!    "lines":[{"direction":"row","threat":"P32","name":"four","next":["k8"],
//!              "spoilt":[]}]}],
//!   "search":{"by_fours":null,"unknown":false,
//!    "virtual":[{"at":"g7","threat":["f7","e7","g5"],"fork":null}],
//!    "spatial":[{"at":"f7","arms":[{"direction":"row","threat":"P22"}],"by":"g7"}],
//!    "undecided":[]}}],
//!  "falls":[{"at":"j9","color":"black","kinds":["double three"],"depth":2,"rows":[
//!    {"kind":"three","direction":"row","stones":["i9","j9","k9"],"real":true,
//!     "points":[{"at":"l9","color":"black","kinds":[],"depth":1,"rows":[]}]}]}]}
//! ```
//!
//! `direction` is row, column, diagonal (down to the right) or antidiagonal.
//! `next` lists where the threat grows, `spoilt` where a straight four would be a foul
//! or come with a five. `search` is null without a search. Its lines are points, the
//! stones of both sides alternately: `by_fours` and `threat` begin with the colour's
//! stone (for `threat` after a pass of the opponent), `fork` with the answer of the
//! longest defence. A point is null if the opponent's only answer is a foul: no stone
//! is placed there, and the next stone, on the same point, wins. `unknown` says that
//! the nodes ran out before a win by fours was ruled out. `falls` also has the points
//! that look like fouls and are none, with empty `kinds`. The kind of a row is five,
//! overline, four (`points` are where it is completed) or three (`points` are where its
//! straight four would be made, judged in the same way); `depth` is the number of stones
//! to be imagined. `due` says in words which decision an opening asks for, if it is not a
//! plain move.

use serde::Serialize;
use serde_json::{Value, json};

use super::by_search::{ColorFindings, Virtual};
use super::fours::SequenceStone;
use super::linear::{Fork, LinearThreat};
use super::survey::{CellThreats, SideThreats, Survey};
use crate::analyze::json::{Ended, color_name};
use crate::position::{GivenPosition, foul_names};
use goren_core::rules::referee::{Explanation, Row};
use goren_core::types::Cell;
use goren_notation::explanation::direction_name;

#[derive(Serialize)]
struct Root<'a> {
    game: String,
    width: usize,
    height: usize,
    to_move: &'static str,
    ended: Option<Ended>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<&'a str>,
    sides: Vec<Value>,
    #[serde(rename = "falls")]
    fouls: Vec<Value>,
}

/// Formats a survey as one line of JSON.
pub(super) fn text(survey: &Survey) -> serde_json::Result<String> {
    let names = Names(survey.position);
    let contest = survey.position.contest;
    serde_json::to_string(&Root {
        game: contest.variant.to_string(),
        width: contest.width,
        height: contest.height,
        to_move: color_name(survey.position.to_move()),
        ended: Ended::of(survey.position),
        due: survey.position.due.as_deref(),
        sides: survey.sides.iter().map(|side| names.side(side)).collect(),
        fouls: survey.fouls.iter().map(|stone| names.stone(stone)).collect(),
    })
}

/// Formats findings with the point names of a position.
struct Names<'a>(&'a GivenPosition);

impl Names<'_> {
    fn points(&self, cells: &[Cell]) -> Vec<String> {
        cells.iter().map(|&cell| self.0.label(cell)).collect()
    }

    fn line(&self, line: &[SequenceStone]) -> Vec<Option<String>> {
        line.iter().map(|ply| (!ply.forbidden).then(|| self.0.label(ply.cell))).collect()
    }

    fn side(&self, side: &SideThreats) -> Value {
        let cells: Vec<Value> = side.cells.iter().map(|seen| self.cell(seen)).collect();
        let search = side.found.as_ref().map(|found| self.search(found));
        json!({ "color": color_name(side.color), "squares": cells, "search": search })
    }

    fn cell(&self, seen: &CellThreats) -> Value {
        let line = |threat: &LinearThreat| {
            json!({
                "direction": direction_name(threat.direction),
                "threat": threat.shape.notation(),
                "name": threat.shape.name(),
                "next": self.points(&threat.next),
                "spoilt": self.points(&threat.spoilt),
            })
        };
        let fork = seen
            .fork()
            .map(|fork| json!({ "threats": Fork::notation(&seen.threats), "kind": fork.name() }));
        json!({
            "at": self.0.label(seen.cell),
            "forbidden": seen.forbidden,
            "fork": fork,
            "lines": seen.threats.iter().map(line).collect::<Vec<_>>(),
        })
    }

    fn search(&self, found: &ColorFindings) -> Value {
        let virtual_threat = |threat: &Virtual| {
            json!({
                "at": self.0.label(threat.at),
                "threat": self.line(&threat.line),
                "fork": threat.fork.as_ref().map(|line| self.line(line)),
            })
        };
        let spatial = found.spatial.iter().map(|spatial| {
            let arms = spatial.arms.iter().map(|&(direction, shape)| {
                json!({ "direction": direction_name(direction), "threat": shape.notation() })
            });
            json!({
                "at": self.0.label(spatial.crossing),
                "arms": arms.collect::<Vec<_>>(),
                "by": self.0.label(spatial.second),
            })
        });
        json!({
            "by_fours": found.vcf.as_ref().map(|line| self.line(line)),
            "unknown": found.vcf_unknown,
            "virtual": found.virtuals.iter().map(virtual_threat).collect::<Vec<_>>(),
            "spatial": spatial.collect::<Vec<_>>(),
            "undecided": self.points(&found.undecided),
        })
    }

    /// Formats a stone and the rows it makes.
    fn stone(&self, stone: &Explanation) -> Value {
        let row = |kind: &str, row: &Row| {
            json!({
                "kind": kind,
                "direction": direction_name(row.direction),
                "stones": self.points(&row.stones),
            })
        };
        let mut rows: Vec<Value> = stone.fives.iter().map(|five| row("five", five)).collect();
        rows.extend(stone.overlines.iter().map(|overline| row("overline", overline)));
        rows.extend(stone.fours.iter().map(|four| {
            let mut value = row("four", &four.row);
            value["points"] = self.points(&four.fives).into();
            value
        }));
        rows.extend(stone.threes.iter().map(|three| {
            let mut value = row("three", &three.row);
            value["real"] = three.is_real().into();
            value["points"] = three.points.iter().map(|point| self.stone(point)).collect();
            value
        }));
        json!({
            "at": self.0.label(stone.at),
            "color": color_name(stone.color),
            "kinds": foul_names(stone.fouls()),
            "depth": stone.depth(),
            "rows": rows,
        })
    }
}
