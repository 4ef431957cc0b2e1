//! Commands of the Yixin-Board extension. Unknown commands are ignored silently, as
//! Yixin-Board 2.1 takes any line it does not know for a move.

mod analyse;
mod features;
pub mod hash;
mod hash_files;
mod offers;
mod opening_steps;
mod step;

use goren_protocol::{Limit, Placed, Reply, YixinCommand};

use self::analyse::print_features;
use self::opening_steps::step;
use self::step::Step;
use crate::advice::database::{self, Context};
use crate::advice::exclusions::{Change, UserExclusions};
use crate::dialect::gomocup;
use crate::dialect::state::State;
use crate::order::search_order::SearchOrder;
use crate::order::task::Task;
use crate::out::Out;
use crate::state::command_error::CommandError;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::{MAX_HASH_LOG2_KIB, Settings, max_threads};
use crate::wire::position;
use goren_core::rules::OpeningId;
use goren_core::types::{Color, Stone};

pub use analyse::{answer_balance, report_block, report_holding};
pub use opening_steps::OpeningSteps;

/// Maximum number of PVs of a search: more than a GUI can label.
const MAX_LINES: u32 = 64;

/// Obeys a command of the extension. Returns the search that it orders, if any.
pub fn obey(
    state: &mut State,
    command: YixinCommand,
    out: Out,
) -> Result<Option<SearchOrder>, CommandError> {
    use YixinCommand as Yx;
    let keyword = command.keyword();
    match command {
        Yx::NBest(_) | Yx::SearchDefend | Yx::BalanceOne(_) | Yx::BalanceTwo(_) => {
            return order_analysis(state, &command).map(Some);
        }
        Yx::Swap2Step1 => return order_step(state, keyword, Step::LaySwap2),
        Yx::Swap2Step2 => return order_step(state, keyword, Step::AnswerSwap2),
        Yx::Swap2Step3 => return order_step(state, keyword, Step::FinishSwap2),
        Yx::SoosorvStep1 => return order_step(state, keyword, Step::Lay),
        Yx::SoosorvStep2(stones) => return order_step(state, keyword, Step::Swap3(stones)),
        Yx::SoosorvStep3(stones) => return order_step(state, keyword, Step::Fourth(stones)),
        Yx::SoosorvStep4 { offers, stones } => {
            return order_step(state, keyword, Step::Swap4(offers, stones));
        }
        Yx::SoosorvStep5 { offers, stones } => {
            return order_step(state, keyword, Step::Offer(offers, stones));
        }
        Yx::SoosorvStep6(stones) => return order_step(state, keyword, Step::Choose(stones)),
        Yx::Block(list) => exclude(state, keyword, Change::Block(list))?,
        Yx::BlockUndo(list) => exclude(state, keyword, Change::Unblock(list))?,
        Yx::BlockReset => exclude(state, keyword, Change::UnblockAll)?,
        Yx::BlockPath(list) => exclude(state, keyword, Change::BlockPath(list))?,
        Yx::BlockPathUndo(list) => exclude(state, keyword, Change::UnblockPath(list))?,
        Yx::BlockPathReset => exclude(state, keyword, Change::UnblockAllPaths)?,
        Yx::Forbid { add, at, side } => {
            let color = match side {
                0 => Color::Black,
                1 => Color::White,
                _ => return Err(CommandError::NoSide(side)),
            };
            exclude(state, keyword, Change::Forbid(add, at, color))?;
        }
        Yx::ShowInfo => {
            meet_yixin_board(state);
            // Without these lines the GUI allows one thread only.
            let threads = u32::try_from(max_threads()).unwrap_or(u32::MAX);
            out(Reply::Limit(Limit::MaxThreadNum(threads)));
            out(Reply::Limit(Limit::MaxHashSize(MAX_HASH_LOG2_KIB)));
        }
        Yx::Board(list) => {
            state.settings.set_yixin();
            show_position(&mut state.at_hand, &state.settings, &list)?;
        }
        Yx::ShowForbid => {
            let forbidden = state.at_hand.forbidden(&state.settings)?;
            out(state.settings.marking(forbidden));
        }
        Yx::PrintFeature => print_features(&mut state.at_hand, &state.settings, out)?,
        Yx::Draw => offers::answer_draw(&state.at_hand, &state.settings, out),
        Yx::Resign => offers::answer_resign(&state.at_hand, &state.settings, out),
        Yx::HashClear => state.at_hand.forget(),
        Yx::HashDump(path) => {
            let State { settings, at_hand, sources, .. } = state;
            hash_files::dump_hash(at_hand, settings, &sources.exclusions, &path, out)?;
        }
        Yx::HashLoad(path) => {
            let limits = state.limits();
            let State { settings, at_hand, sources, .. } = state;
            hash_files::load_hash(at_hand, settings, &sources.exclusions, &limits, &path, out)?;
        }
        Yx::ShowHashUsage => out(Reply::Message(state.at_hand.hash.usage())),
        Yx::Database(command) => {
            let State { settings, at_hand, sources, .. } = state;
            let context = Context::of(settings, at_hand, sources.database.setup());
            database::obey(&mut sources.database, &context, &command, out);
        }
        // There is no configuration file to reload.
        Yx::ReloadConfig(_) => {}
    }
    Ok(None)
}

/// Orders the search for a step of an opening.
fn order_step(
    state: &mut State,
    keyword: &'static str,
    requested: Step,
) -> Result<Option<SearchOrder>, CommandError> {
    let limits = state.limits();
    let State { settings, at_hand, opening_steps, .. } = state;
    step(opening_steps, at_hand, settings, &limits, keyword, requested).map(Some)
}

/// Orders an analysis or a balance.
fn order_analysis(state: &mut State, command: &YixinCommand) -> Result<SearchOrder, CommandError> {
    use YixinCommand as Yx;
    let limits = state.limits();
    let State { settings, at_hand, sources, .. } = state;
    let task = match command {
        Yx::BalanceOne(bias) => analyse::balance(false, *bias),
        Yx::BalanceTwo(bias) => analyse::balance(true, *bias),
        _ => Task::Analyse,
    };
    let order = analyse::search(at_hand, settings, &limits, command.keyword(), task)?;
    Ok(match command {
        Yx::NBest(lines) => {
            let multi_pv = (*lines).clamp(1, MAX_LINES) as usize;
            let skips_symmetric = settings.skips_symmetric();
            let order = SearchOrder { multi_pv, skips_symmetric, ..order };
            if sources.exclusions.any() {
                order
            } else {
                swap_after_first(at_hand, settings, order)?
            }
        }
        Yx::SearchDefend => SearchOrder { defend: true, ..order },
        _ => order,
    })
}

/// In freestyle with a swap after the first stone, turns the order of a move into that of an
/// opening decision: on the empty board, where to place the stone, since the opponent takes
/// the better side; after the opponent's first stone, whether to swap. `yxnbest` is never
/// answered by a swap: gomocalc uses it to move, and waits for a coordinate.
pub fn swap_after_first(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    order: SearchOrder,
) -> Result<SearchOrder, CommandError> {
    let Some(game) = at_hand.five().filter(|_| settings.swaps_after_first()) else {
        return Ok(order);
    };
    let laid: &[usize] = match (game.to_move, &game.stones[..], order.task) {
        (Color::Black, [], Task::Move) => &[],
        (Color::Black, [], Task::Analyse) if order.multi_pv == 1 && !order.defend => &[],
        (Color::White, [(_, Stone::Of(Color::Black))], Task::Move) if settings.may_swap() => &[1],
        _ => return Ok(order),
    };
    gomocup::decide_opening(at_hand, OpeningId::Swap1st, laid)?;
    Ok(SearchOrder { task: Task::Opening, ..order })
}

/// Records that the client is a Yixin-Board, whose coordinates have the row first. It has
/// used that order from the beginning, so earlier input is reread.
fn meet_yixin_board(state: &mut State) {
    let before = state.settings.axes();
    state.settings.meet_yixin_board();
    if state.settings.axes() != before {
        state.sources.exclusions.swap_axes();
        state.sources.database.swap_axes();
        state.at_hand.swap_axes();
    }
}

/// Changes the exclusions.
///
/// # Errors
/// A point off the board, unless in a path to block; nothing changes.
fn exclude(state: &mut State, command: &'static str, change: Change) -> Result<(), CommandError> {
    let exclusions: &mut UserExclusions = &mut state.sources.exclusions;
    // Yixin-Board lifts exclusions after each of its moves, whatever the board.
    let lifts = matches!(change, Change::UnblockAll | Change::UnblockAllPaths);
    if lifts && !exclusions.any() {
        return Ok(());
    }
    let (axes, setup) = (state.settings.axes(), state.at_hand.five_board(command)?);
    // "Block path except" of the Yixin-Boards sends a path to each point of 22x22, whatever the
    // board. A path that leaves the board cannot be played, so it needs no exclusion.
    let blocks_path = matches!(change, Change::BlockPath(_));
    match exclusions.change(change, &|at| axes.cell(at, &setup)) {
        Err(_) if blocks_path => Ok(()),
        done => done.map_err(CommandError::Outside),
    }
}

/// Sets a position, in which the game may be over, without searching it.
fn show_position(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    list: &[Placed],
) -> Result<(), CommandError> {
    let setup = at_hand.five_board("YXBOARD")?;
    // Until the list is accepted, commands that continue a position are refused: the
    // client no longer shows the old one.
    at_hand.refused = true;
    at_hand.replace(position::from_board(list, settings.axes(), &setup)?, settings)
}
