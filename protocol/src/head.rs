//! Reads the first line of a command: its keyword and the arguments on the same line. Lists,
//! next-line paths and quoted texts are left to the parser; [`Head`] says that one follows.

use crate::command::Command;
use crate::database::{DatabaseCommand as Db, DatabaseQuery};
use crate::info::Setting;
use crate::ply::Ply;
use crate::point::Point;
use crate::reason::Reason;
use crate::scan::Scan;
use crate::text::shown;
use crate::yixin::YixinCommand as Yx;

/// The result of reading the first line of a command.
#[derive(Debug)]
pub(crate) enum Head {
    /// The whole command.
    Whole(Result<Command, Reason>),
    /// A command whose list follows, on this line or the next. The list is read to its end even
    /// with an error.
    List(Command, Option<Reason>),
    /// A command whose path follows, on this line or the next.
    Path(Command),
    /// A command whose quoted text follows on this line, and then its list.
    Quoted(Command),
}

/// Every keyword that begins a command, in upper case.
const KEYWORDS: &[&str] = &[
    "START",
    "RECTSTART",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "TAKEBACK",
    "PLAY",
    "SWAP2BOARD",
    "PLIES",
    "INFO",
    "ABOUT",
    "END",
    "STOP",
    "YXSTOP",
    "YXSHOWINFO",
    "YXBOARD",
    "YXSHOWFORBID",
    "YXNBEST",
    "YXSEARCHDEFEND",
    "YXBALANCEONE",
    "YXBALANCETWO",
    "YXHASHCLEAR",
    "YXHASHDUMP",
    "YXHASHLOAD",
    "YXSHOWHASHUSAGE",
    "YXBLOCK",
    "YXBLOCKUNDO",
    "YXBLOCKRESET",
    "YXBLOCKPATH",
    "YXBLOCKPATHUNDO",
    "YXBLOCKPATHRESET",
    "YXFORBID",
    "YXSWAP2STEP1",
    "YXSWAP2STEP2",
    "YXSWAP2STEP3",
    "YXSOOSORVSTEP1",
    "YXSOOSORVSTEP2",
    "YXSOOSORVSTEP3",
    "YXSOOSORVSTEP4",
    "YXSOOSORVSTEP5",
    "YXSOOSORVSTEP6",
    "YXDRAW",
    "YXRESIGN",
    "YXPRINTFEATURE",
    "RELOADCONFIG",
    "YXQUERYDATABASEALL",
    "YXQUERYDATABASEALLT",
    "YXQUERYDATABASEONE",
    "YXQUERYDATABASETEXT",
    "YXSETDATABASE",
    "YXSAVEDATABASE",
    "YXEDITTVDDATABASE",
    "YXEDITTEXTDATABASE",
    "YXEDITLABELDATABASE",
    "YXSETBESTMOVEDATABASE",
    "YXCLEARBESTMOVEDATABASE",
    "YXDELETEDATABASEONE",
    "YXDELETEDATABASEALL",
    "YXDBTOTXT",
    "YXDBTOTXTALL",
    "YXLIBTODB",
    "YXDBTOLIB",
    "YXDBMERGE",
    "YXDBSPLIT",
    "YXDBTOPOS",
    "YXTXTTODB",
    "YXDBCHECK",
    "YXDBFIX",
];

/// The keyword that `word` spells in any case: Yixin-Board writes lower case, managers upper.
pub(crate) fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.iter().copied().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Reads the arguments of `keyword`, one of [`KEYWORDS`]. Words after the last argument are
/// ignored.
pub(crate) fn read(keyword: &str, scan: &mut Scan<'_>) -> Option<Head> {
    gomocup(keyword, scan).or_else(|| yixin(keyword, scan)).or_else(|| database(keyword, scan))
}

fn gomocup(keyword: &str, scan: &mut Scan<'_>) -> Option<Head> {
    Some(match keyword {
        "START" => Head::Whole(start(scan)),
        "RECTSTART" => {
            Head::Whole(scan.size().map(|(width, height)| Command::RectStart { width, height }))
        }
        "RESTART" => Head::Whole(Ok(Command::Restart)),
        "BEGIN" => Head::Whole(Ok(Command::Begin)),
        "TURN" => Head::Whole(Ply::read(scan).map(|ply| match ply.only() {
            Some(at) => Command::Turn(at),
            None => Command::TurnPly(ply),
        })),
        "PLIES" => Head::Whole(Ok(Command::Plies(scan.remainder().to_owned()))),
        "BOARD" => Head::List(Command::Board(Vec::new()), None),
        "TAKEBACK" => Head::Whole(scan.point().map(Command::Takeback)),
        "PLAY" => Head::Whole(scan.point().map(Command::Play)),
        "SWAP2BOARD" => Head::List(Command::Swap2Board(Vec::new()), None),
        "INFO" => Head::Whole(Ok(Command::Info(Setting::read(scan)))),
        "ABOUT" => Head::Whole(Ok(Command::About)),
        "END" => Head::Whole(Ok(Command::End)),
        "STOP" | "YXSTOP" => Head::Whole(Ok(Command::Stop)),
        _ => return None,
    })
}

/// Reads `START n`, and the `start 15 15` of Yixin-Board 2.1 (width first).
fn start(scan: &mut Scan<'_>) -> Result<Command, Reason> {
    let width = scan.unsigned()?;
    let height = if scan.number_follows() { scan.unsigned()? } else { width };
    Ok(Command::Start { width, height })
}

fn yixin(keyword: &str, scan: &mut Scan<'_>) -> Option<Head> {
    let whole = |command| Head::Whole(Ok(Command::Yixin(command)));
    let list = |command| Head::List(Command::Yixin(command), None);
    let path = |command| Head::Path(Command::Yixin(command));
    Some(match keyword {
        "YXSHOWINFO" => whole(Yx::ShowInfo),
        "YXBOARD" => list(Yx::Board(Vec::new())),
        "YXSHOWFORBID" => whole(Yx::ShowForbid),
        "YXNBEST" => Head::Whole(scan.unsigned().map(|k| Command::Yixin(Yx::NBest(k)))),
        "YXSEARCHDEFEND" => whole(Yx::SearchDefend),
        "YXBALANCEONE" => Head::Whole(bias(scan).map(|b| Command::Yixin(Yx::BalanceOne(b)))),
        "YXBALANCETWO" => Head::Whole(bias(scan).map(|b| Command::Yixin(Yx::BalanceTwo(b)))),
        "YXHASHCLEAR" => whole(Yx::HashClear),
        "YXHASHDUMP" => path(Yx::HashDump(String::new())),
        "YXHASHLOAD" => path(Yx::HashLoad(String::new())),
        "YXSHOWHASHUSAGE" => whole(Yx::ShowHashUsage),
        "YXBLOCK" => list(Yx::Block(Vec::new())),
        "YXBLOCKUNDO" => list(Yx::BlockUndo(Vec::new())),
        "YXBLOCKRESET" => whole(Yx::BlockReset),
        "YXBLOCKPATH" => list(Yx::BlockPath(Vec::new())),
        "YXBLOCKPATHUNDO" => list(Yx::BlockPathUndo(Vec::new())),
        "YXBLOCKPATHRESET" => whole(Yx::BlockPathReset),
        "YXFORBID" => Head::Whole(forbid(scan).map(Command::Yixin)),
        "YXSWAP2STEP1" => whole(Yx::Swap2Step1),
        "YXSWAP2STEP2" => whole(Yx::Swap2Step2),
        "YXSWAP2STEP3" => whole(Yx::Swap2Step3),
        "YXSOOSORVSTEP1" => whole(Yx::SoosorvStep1),
        "YXSOOSORVSTEP2" => list(Yx::SoosorvStep2(Vec::new())),
        "YXSOOSORVSTEP3" => list(Yx::SoosorvStep3(Vec::new())),
        "YXSOOSORVSTEP4" => offers(scan, |offers| Yx::SoosorvStep4 { offers, stones: Vec::new() }),
        "YXSOOSORVSTEP5" => offers(scan, |offers| Yx::SoosorvStep5 { offers, stones: Vec::new() }),
        "YXSOOSORVSTEP6" => list(Yx::SoosorvStep6(Vec::new())),
        "YXDRAW" => whole(Yx::Draw),
        "YXRESIGN" => whole(Yx::Resign),
        "YXPRINTFEATURE" => whole(Yx::PrintFeature),
        "RELOADCONFIG" => whole(Yx::ReloadConfig(scan.remainder().to_owned())),
        _ => return None,
    })
}

/// Reads the bias of a balance search, 0 when it is left out.
fn bias(scan: &mut Scan<'_>) -> Result<i32, Reason> {
    if scan.peek_word().is_empty() { Ok(0) } else { scan.small() }
}

fn offers(scan: &mut Scan<'_>, command: impl FnOnce(u32) -> Yx) -> Head {
    match scan.unsigned() {
        Ok(offers) => Head::List(Command::Yixin(command(offers)), None),
        Err(reason) => Head::List(Command::Yixin(command(0)), Some(reason)),
    }
}

/// Reads `add|del r c side`, separated by blanks.
fn forbid(scan: &mut Scan<'_>) -> Result<Yx, Reason> {
    let word = scan.word();
    let add = match word.to_ascii_lowercase().as_str() {
        "add" => true,
        "del" => false,
        "" => return Err(Reason::Missing),
        _ => return Err(Reason::Unreadable { text: shown(word) }),
    };
    let at = Point::new(scan.small()?, scan.small()?);
    Ok(Yx::Forbid { add, at, side: scan.small()? })
}

fn database(keyword: &str, scan: &mut Scan<'_>) -> Option<Head> {
    let command = |db| Command::Yixin(Yx::Database(db));
    let list = |db| Head::List(command(db), None);
    let path = |db: fn(String) -> Db| Head::Path(command(db(String::new())));
    let query = |kind| list(Db::Query { kind, position: Vec::new() });
    Some(match keyword {
        "YXQUERYDATABASEALL" => query(DatabaseQuery::All),
        "YXQUERYDATABASEALLT" => query(DatabaseQuery::AllText),
        "YXQUERYDATABASEONE" => query(DatabaseQuery::One),
        "YXQUERYDATABASETEXT" => query(DatabaseQuery::Text),
        "YXSETDATABASE" => path(Db::Set),
        "YXSAVEDATABASE" => Head::Whole(Ok(command(Db::Save))),
        "YXEDITTVDDATABASE" => edit_tvd(scan),
        "YXEDITTEXTDATABASE" => {
            Head::Quoted(command(Db::EditText { text: String::new(), position: Vec::new() }))
        }
        "YXEDITLABELDATABASE" => list(edit_label(scan)),
        "YXSETBESTMOVEDATABASE" => list(Db::SetBestMove(Vec::new())),
        "YXCLEARBESTMOVEDATABASE" => list(Db::ClearBestMove(Vec::new())),
        "YXDELETEDATABASEONE" => list(Db::DeleteOne(Vec::new())),
        "YXDELETEDATABASEALL" => list(delete_all(scan)),
        "YXDBTOTXT" => path(Db::ToText),
        "YXDBTOTXTALL" => path(Db::ToTextAll),
        "YXLIBTODB" => path(Db::FromLib),
        "YXDBTOLIB" => path(Db::ToLib),
        "YXDBMERGE" => path(Db::Merge),
        "YXDBSPLIT" => path(Db::Split),
        "YXDBTOPOS" => path(Db::ToPos),
        "YXTXTTODB" => path(Db::FromText),
        "YXDBCHECK" => Head::Whole(Ok(command(Db::Check))),
        "YXDBFIX" => Head::Whole(Ok(command(Db::Fix))),
        _ => return None,
    })
}

fn edit_tvd(scan: &mut Scan<'_>) -> Head {
    let mut numbers = [0; 4];
    let mut error = None;
    for number in &mut numbers {
        match scan.integer() {
            Ok(read) => *number = read,
            Err(reason) => {
                error = Some(reason);
                break;
            }
        }
    }
    let [mask, tag, value, depth] = numbers;
    let command = Db::EditTvd { mask, tag, value, depth, position: Vec::new() };
    Head::List(Command::Yixin(Yx::Database(command)), error)
}

/// Reads a label, which takes the rest of the line. The fork of Yixin-Board puts a cell before it,
/// version 2.1 does not.
fn edit_label(scan: &mut Scan<'_>) -> Db {
    let mut ahead = *scan;
    let at = ahead.point().ok();
    if at.is_some() {
        *scan = ahead;
    }
    Db::EditLabel { at, label: scan.remainder().to_owned(), position: Vec::new() }
}

/// Reads the filter: a word, with a number if the word counts steps. A list may follow on the line.
fn delete_all(scan: &mut Scan<'_>) -> Db {
    let word = scan.peek_word();
    let mut filter = String::new();
    if word.starts_with(|c: char| c.is_alphabetic()) && !word.eq_ignore_ascii_case("DONE") {
        filter.push_str(scan.word());
        let mut ahead = *scan;
        if let Ok(steps) = ahead.integer()
            && ahead.comma().is_err()
        {
            scan.word();
            filter.push_str(&format!(" {steps}"));
        }
    }
    Db::DeleteAll { filter, position: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_read() {
        for word in KEYWORDS {
            assert!(read(word, &mut Scan::new("")).is_some(), "{word}");
            assert_eq!(keyword(&word.to_ascii_lowercase()), Some(*word));
        }
        assert!(read("HELLO", &mut Scan::new("")).is_none());
        assert_eq!(keyword("DONE"), None);
    }

    #[test]
    fn every_list_and_path_has_a_field_to_fill() {
        for word in KEYWORDS {
            match read(word, &mut Scan::new("")) {
                Some(Head::List(mut command, _)) | Some(Head::Quoted(mut command)) => {
                    assert!(command.list_mut().is_some(), "{word}");
                    assert_eq!(command.keyword(), *word);
                }
                Some(Head::Path(mut command)) => {
                    assert!(command.path_mut().is_some(), "{word}");
                    assert_eq!(command.keyword(), *word);
                }
                _ => {}
            }
        }
    }
}
