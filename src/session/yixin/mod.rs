//! Commands of the Yixin-Board extension. Unknown ones are consumed silently, as
//! Yixin-Board 2.1 takes any unknown line for a move.

mod analyse;
pub(super) mod dialogue;
pub(super) mod exclusions;
mod features;
pub mod hash;
mod hash_files;
pub(super) mod offers;
mod opinion;
mod step;
pub(super) mod twins;
mod user_exclusions;

use goren_protocol::{Limit, Placed, Reply, YixinCommand};

use self::user_exclusions::Change;
use super::command_error::CommandError;
use super::out::Out;
use super::settings::{MAX_HASH_LOG2_KIB, max_threads};
use super::state::{Session, State};
use super::{database, position};

pub(super) use analyse::{answer_balance, tell_holding};
pub(super) use opinion::Opinion;
pub(super) use step::Step;
pub(super) use user_exclusions::UserExclusions;

/// Most lines of a search: more than the labels of a GUI can show.
const MOST_LINES: u32 = 64;

/// Obeys a command of the extension.
pub(super) fn obey(
    session: &mut Session,
    command: YixinCommand,
    out: Out,
) -> Result<(), CommandError> {
    use YixinCommand as Yx;
    let keyword = command.keyword();
    match command {
        Yx::ShowInfo => {
            session.meet_yixin_board();
            // Without these the GUI allows one thread only.
            let threads = u32::try_from(max_threads()).unwrap_or(u32::MAX);
            out(Reply::Limit(Limit::MaxThreadNum(threads)));
            out(Reply::Limit(Limit::MaxHashSize(MAX_HASH_LOG2_KIB)));
            Ok(())
        }
        Yx::Board(list) => {
            session.settings.meet_yixin();
            show_position(session, &list)
        }
        Yx::ShowForbid => {
            out(session.forbidden()?);
            Ok(())
        }
        Yx::HashClear => {
            session.forget();
            Ok(())
        }
        Yx::HashDump(path) => hash_files::dump_hash(session, &path, out),
        Yx::HashLoad(path) => hash_files::load_hash(session, &path, out),
        Yx::ShowHashUsage => {
            out(Reply::Message(session.hash.usage()));
            Ok(())
        }
        Yx::NBest(lines) => analyse::analyse(session, "YXNBEST", |session, request| {
            request.multi_pv = lines.clamp(1, MOST_LINES) as usize;
            if session.settings.skips_twins()
                && let State::Idle(game) = &session.state
            {
                let here = &request.exclusions.here;
                let twins = twins::twins(game.as_ref(), here);
                request.exclusions.here.extend(twins);
            }
        }),
        Yx::SearchDefend => {
            analyse::analyse(session, "YXSEARCHDEFEND", |_, request| request.defend = true)
        }
        Yx::BalanceOne(bias) => analyse::balance(session, "YXBALANCEONE", false, bias),
        Yx::BalanceTwo(bias) => analyse::balance(session, "YXBALANCETWO", true, bias),
        Yx::Block(list) => exclusions::exclude(session, keyword, Change::Block(list)),
        Yx::BlockUndo(list) => exclusions::exclude(session, keyword, Change::Unblock(list)),
        Yx::BlockReset => lift(session, keyword, Change::UnblockAll),
        Yx::BlockPath(list) => exclusions::exclude(session, keyword, Change::BlockPath(list)),
        Yx::BlockPathUndo(list) => exclusions::exclude(session, keyword, Change::UnblockPath(list)),
        Yx::BlockPathReset => lift(session, keyword, Change::UnblockAllPaths),
        Yx::Forbid { add, at, side } => {
            exclusions::exclude(session, keyword, Change::Forbid(add, at, side))
        }
        Yx::Swap2Step1 => dialogue::step(session, keyword, Step::LaySwap2),
        Yx::Swap2Step2 => dialogue::step(session, keyword, Step::AnswerSwap2),
        Yx::Swap2Step3 => dialogue::step(session, keyword, Step::FinishSwap2),
        Yx::SoosorvStep1 => dialogue::step(session, keyword, Step::Lay),
        Yx::SoosorvStep2(stones) => dialogue::step(session, keyword, Step::Swap3(stones)),
        Yx::SoosorvStep3(stones) => dialogue::step(session, keyword, Step::Fourth(stones)),
        Yx::SoosorvStep4 { offers, stones } => {
            dialogue::step(session, keyword, Step::Swap4(offers, stones))
        }
        Yx::SoosorvStep5 { offers, stones } => {
            dialogue::step(session, keyword, Step::Offer(offers, stones))
        }
        Yx::SoosorvStep6(stones) => dialogue::step(session, keyword, Step::Choose(stones)),
        Yx::Draw => {
            offers::answer_draw(session, out);
            Ok(())
        }
        Yx::Resign => {
            offers::answer_resign(session, out);
            Ok(())
        }
        Yx::PrintFeature => analyse::print_features(session, out),
        Yx::Database(command) => {
            database::obey(session, &command, out);
            Ok(())
        }
        // There is no file of settings.
        Yx::ReloadConfig(_) => Ok(()),
    }
}

/// Takes exclusions back, if there are any: Yixin-Board sends these after each
/// of its moves, and the table need not suffer.
fn lift(session: &mut Session, command: &'static str, change: Change) -> Result<(), CommandError> {
    if session.user_exclusions.any() {
        exclusions::exclude(session, command, change)
    } else {
        Ok(())
    }
}

/// Sets a position without thinking about it; it may be over.
fn show_position(session: &mut Session, list: &[Placed]) -> Result<(), CommandError> {
    let setup = session.board_of_ours("YXBOARD")?;
    // Until there is another, nothing is said of the position of before.
    session.refused = true;
    session.replace(position::from_board(list, session.axes(), &setup)?)
}
