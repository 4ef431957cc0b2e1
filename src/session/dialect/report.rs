//! Text of progress reports; `progress.rs` decides when to send them.

use goren_protocol::{Detail, Eval, Point, Realtime, Reply, SearchInfo};

use crate::order::verbosity::Mark;
use crate::wire::{Axes, name};
use goren_core::types::{Score, plies_to_end, win_rate};
use goren_decide::{Balance, Balanced};
use goren_engine::Info;

/// A report as a line for people. With several PVs the line has the number of its PV, so that
/// other programs do not read it as a search report.
pub fn line(info: &Info, height: usize) -> Reply {
    let report = search_info(info, height);
    match info.pv_count {
        1 => Reply::Search(report),
        _ => Reply::Message(format!("({}) {report}", info.pv_index + 1)),
    }
}

/// A report as the `INFO` block for GUIs.
pub fn block(info: &Info, axes: Axes) -> Vec<Detail> {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let time = u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX);
    let mut block = vec![
        Detail::Pv(number(info.pv_index)),
        Detail::NumPv(number(info.pv_count)),
        Detail::Depth(info.depth),
        Detail::SelDepth(info.seldepth.max(info.depth)),
    ];
    // With several PVs the nodes of each one are unknown.
    block.extend((info.pv_count == 1).then_some(Detail::Nodes(info.nodes)));
    block.extend([
        Detail::TotalNodes(info.nodes),
        Detail::TotalTime(time),
        Detail::Speed(info.nodes.saturating_mul(1_000) / time.max(1)),
        Detail::Eval(eval(info.score)),
        Detail::WinRate(win_rate(info.score) as f32),
    ]);
    let moves = info.pv.iter().filter(|m| m.is_some()).map(|m| axes.point(m.cell()));
    let moves: Vec<Point> = moves.collect();
    if let Some((&first, rest)) = moves.split_first() {
        block.push(Detail::BestLine { first, rest: rest.to_vec() });
    }
    block.push(Detail::PvDone);
    block
}

/// A mark in the words of Yixin GUIs.
pub fn realtime(mark: Mark, axes: Axes) -> Realtime {
    match mark {
        Mark::Refresh => Realtime::Refresh,
        Mark::Begun(cell) => Realtime::Pos(axes.point(cell)),
        Mark::Done(cell) => Realtime::Done(axes.point(cell)),
        Mark::Best(cell) => Realtime::Best(axes.point(cell)),
        Mark::Lost(cell) => Realtime::Lose(axes.point(cell)),
    }
}

/// The search report of an info, for a board of `height` rows.
pub fn search_info(info: &Info, height: usize) -> SearchInfo {
    let time = u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX);
    SearchInfo {
        depth: info.depth,
        seldepth: info.seldepth.max(info.depth),
        eval: eval(info.score),
        nodes: info.nodes,
        speed: info.nodes / time.max(1),
        time,
        pv: info.pv.iter().filter(|m| m.is_some()).map(|m| name(m.cell(), height)).collect(),
    }
}

/// The lines about balancing stones.
pub fn balance(wanted: Balance, found: &Balanced, height: usize) -> impl Iterator<Item = String> {
    let points = |score: Score| match eval(score) {
        Eval::Score(score) => format!("{score:+}"),
        proven => proven.to_string(),
    };
    let score = points(found.score);
    let rate = win_rate(found.score);
    let first = format!("balance: evaluation {score}, win rate {rate:.3}");
    let labels: Vec<String> = found.stones.iter().map(|&cell| name(cell, height)).collect();
    let labels = labels.join(" ");
    let level = match wanted.bias {
        0 => "a level score".to_owned(),
        bias => format!("a score near {bias:+}"),
    };
    let more = match (found.is_near(wanted.bias), found.searched, found.stones.len()) {
        (true, ..) => None,
        (_, false, _) => {
            Some(format!("no time to search {labels}: this is only the static evaluation"))
        }
        (.., 1) => Some(format!("no stone gives {level}: the best, {labels}, is worth {score}")),
        _ => Some(format!("no two stones give {level}: the best, {labels}, are worth {score}")),
    };
    [Some(first), more.map(|more| format!("balance: {more}"))].into_iter().flatten()
}

/// A score in the form of the protocol.
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
    use goren_core::types::{Cell, Move, loss_in, win_in};
    use goren_engine::Basis;
    use std::time::Duration;

    fn sample() -> Info {
        Info {
            depth: 12,
            seldepth: 20,
            score: 35,
            basis: Basis::Search,
            nodes: 1_234_567,
            elapsed: Duration::from_millis(1_400),
            pv: vec![Move::at(Cell::new(7, 7)), Move::at(Cell::new(8, 6)), Move::NONE],
            pv_index: 0,
            pv_count: 1,
        }
    }

    #[test]
    fn every_line_of_the_block_has_a_value() {
        let lines = |info: &Info, axes| -> Vec<String> {
            block(info, axes).iter().map(Detail::to_string).collect()
        };
        let expected = [
            "INFO PV 0",
            "INFO NUMPV 1",
            "INFO DEPTH 12",
            "INFO SELDEPTH 20",
            "INFO NODES 1234567",
            "INFO TOTALNODES 1234567",
            "INFO TOTALTIME 1400",
            "INFO SPEED 881833",
            "INFO EVAL 35",
            "INFO WINRATE 0.5436",
            "INFO BESTLINE 7,7 6,8",
            "INFO PV DONE",
        ];
        assert_eq!(lines(&sample(), Axes::RowFirst), expected);
        let second = Info { pv_index: 1, pv_count: 3, score: loss_in(4), pv: vec![], ..sample() };
        let block = lines(&second, Axes::ColumnFirst);
        assert_eq!(block[..2], ["INFO PV 1", "INFO NUMPV 3"]);
        assert!(block.contains(&"INFO EVAL -M4".to_owned()));
        assert!(!block.iter().any(|line| line.contains("BESTLINE") || line.contains(" NODES")));
        assert!(line(&second, 15).to_string().starts_with("MESSAGE (2) depth 12-20 ev -M4 "));
    }

    #[test]
    fn a_report_has_the_format_of_rapfi() {
        let mut info = sample();
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
