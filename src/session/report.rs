//! How a search tells of itself. Never decides when.

use goren_protocol::{Eval, SearchInfo};

use crate::search::Info;
use crate::types::{Score, plies_to_end};

/// The line of a report, for a board `height` rows high.
pub fn search_info(info: &Info, height: usize) -> SearchInfo {
    let time = u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX);
    SearchInfo {
        depth: info.depth,
        seldepth: info.seldepth.max(info.depth),
        eval: eval(info.score),
        nodes: info.nodes,
        speed: info.nodes / time.max(1),
        time,
        pv: info.pv.iter().filter(|m| m.is_some()).map(|m| m.cell().label(height)).collect(),
    }
}

/// A score as it is printed.
fn eval(score: Score) -> Eval {
    match plies_to_end(score) {
        None => Eval::Score(score),
        Some(plies) if score > 0 => Eval::Win(plies as u32),
        Some(plies) => Eval::Loss(plies as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Cell, Move, loss_in, win_in};
    use std::time::Duration;

    #[test]
    fn a_report_reads_like_rapfis() {
        let mut info = Info {
            depth: 12,
            seldepth: 20,
            score: 35,
            nodes: 1_234_567,
            elapsed: Duration::from_millis(1_400),
            pv: vec![Move::at(Cell::new(7, 7)), Move::at(Cell::new(8, 6)), Move::NONE],
            pv_index: 0,
            pv_count: 1,
        };
        let line = |info: &Info| search_info(info, 15).to_string();
        assert_eq!(line(&info), "depth 12-20 ev 35 n 1234K n/ms 881 tm 1400 pv H8 I9");
        info.pv.clear();
        info.elapsed = Duration::ZERO;
        info.score = win_in(13);
        assert!(line(&info).starts_with("depth 12-20 ev +M13 "));
        info.score = loss_in(12);
        assert!(line(&info).starts_with("depth 12-20 ev -M12 "));
    }
}
