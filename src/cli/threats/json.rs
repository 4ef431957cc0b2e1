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
//! `next` is where the threat grows, `spoilt` where a straight four
//! would be a foul or come with a five. `search` is null where nothing was
//! sought; its lines are points, the stones of both sides by turns: `by_fours`
//! and `threat` from the colour's stone on (for `threat` after the opponent has
//! passed), `fork` from the answer that holds out longest on. A point is null
//! where the opponent's only answer is a foul: no stone is placed there, and the
//! next stone, on the very point, wins. `unknown` tells
//! that the nodes ran out before a win by fours was ruled out. `falls` has also
//! the points that look like fouls and are none: their `kinds` are empty. Rows
//! are of kind five, overline, four (`points` are where it is completed) or
//! three (`points` are where its straight four would be made, judged in the
//! same way); `depth` is how many stones must be thought to be placed. `due` is
//! there where an opening asks for something else than a plain move, in words.

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

/// All of it, as one line of JSON.
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

/// What gives points their names.
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
        let one = |one: &Virtual| {
            json!({
                "at": self.0.label(one.at),
                "threat": self.line(&one.line),
                "fork": one.fork.as_ref().map(|line| self.line(line)),
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
            "unknown": found.in_the_dark,
            "virtual": found.virtuals.iter().map(one).collect::<Vec<_>>(),
            "spatial": spatial.collect::<Vec<_>>(),
            "undecided": self.points(&found.undecided),
        })
    }

    /// A black stone and what it makes.
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
