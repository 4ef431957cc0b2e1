//! `goren matches`: filters and sums the recorded matches of the journal.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use super::stats::elo_of_games;

/// Arguments of `goren matches`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren matches
  goren matches --game renju --kept yes
  goren matches --against rapfi --by limit
  goren matches --limit '500 ms' --file benches/matches.csv

Columns: result, the wins-losses-draws of the version with the change (? for an unknown number,
empty if all are unknown); elo, as in the journal; against, the other side; change, the change
tested. benches/journal/README.md describes the file. Sums have 95% intervals for independent
games; if each opening was played twice, the true interval is narrower. The exit status is 1 if no
match is selected.")]
pub struct Args {
    /// Show only matches whose game contains TEXT, ignoring case.
    #[arg(long, value_name = "TEXT")]
    game: Option<String>,
    /// Show only matches whose limit contains TEXT, such as `nodes` or `500 ms`.
    #[arg(long, value_name = "TEXT")]
    limit: Option<String>,
    /// Show only matches against opponents whose name contains TEXT.
    #[arg(long, value_name = "TEXT")]
    against: Option<String>,
    /// Show only matches with this verdict on the change.
    #[arg(long, value_enum)]
    kept: Option<Kept>,
    /// Sum the matches by this column.
    #[arg(long, value_enum, default_value_t = Group::Game)]
    by: Group,
    /// Print the sums without the matches.
    #[arg(long, short)]
    quiet: bool,
    /// CSV file of the matches; the default is found in the main folder of Goren's sources.
    #[arg(long, default_value = "benches/matches.csv")]
    file: PathBuf,
}

/// Verdict on the change that a match tested.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
enum Kept {
    /// The change is in the code.
    Yes,
    /// The change was rejected.
    No,
    /// The code stayed, and a parameter turns it off.
    Off,
    /// Undecided.
    Open,
    /// There was nothing to decide: matches against other engines, cross-checks.
    None,
}

impl Kept {
    /// Text in the column `kept`.
    fn text(self) -> &'static str {
        match self {
            Kept::Yes => "yes",
            Kept::No => "no",
            Kept::Off => "off",
            Kept::Open => "open",
            Kept::None => "",
        }
    }
}

/// The grouping of the sums.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
enum Group {
    /// Game and board size.
    Game,
    /// Time, nodes or depth per move.
    Limit,
    /// Opponent.
    Against,
    /// Verdict.
    Kept,
}

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    date: String,
    base: String,
    game: String,
    limit: String,
    /// Wins, losses and draws, if the journal has all three.
    counts: Option<[u64; 3]>,
    /// The counts as text, with `?` for a missing one; empty if it has none.
    result: String,
    elo: String,
    kept: String,
    what: String,
}

/// Prints the selected matches and their sums. Returns whether there are any.
///
/// # Errors
/// The table cannot be read.
pub fn run(args: &Args) -> Result<bool> {
    let place = || args.file.display().to_string();
    ensure!(
        args.file.is_file(),
        "there is no file {}: the table is part of Goren's repository; --file names another",
        args.file.display()
    );
    let text = fs::read_to_string(&args.file).with_context(place)?;
    let mut rows = read(&text).with_context(place)?;
    rows.retain(|row| args.selects(row));
    print!("{}", if args.quiet { sums(&rows, args.by) } else { report(&rows, args.by) });
    Ok(!rows.is_empty())
}

impl Args {
    /// Whether the filters select a row.
    fn selects(&self, row: &Row) -> bool {
        let contains = |text: &str, wanted: &Option<String>| {
            wanted
                .as_ref()
                .is_none_or(|wanted| text.to_lowercase().contains(&wanted.to_lowercase()))
        };
        contains(&row.game, &self.game)
            && contains(&row.limit, &self.limit)
            && contains(&row.base, &self.against)
            && self.kept.is_none_or(|kept| row.kept == kept.text())
    }
}

/// Reads the rows of a table; finds the columns by their names.
///
/// # Errors
/// A column is missing or a row is broken; names the line of the row.
fn read(text: &str) -> Result<Vec<Row>> {
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let (_, head) = lines.next().context("an empty file")?;
    let names = fields(head)?;
    let column = |name: &str| {
        names.iter().position(|field| field == name).with_context(|| format!("no column {name:?}"))
    };
    let [date, base, game, limit, wins, losses, draws, elo, kept, what] = [
        column("date")?,
        column("base")?,
        column("game")?,
        column("limit")?,
        column("wins")?,
        column("losses")?,
        column("draws")?,
        column("elo")?,
        column("kept")?,
        column("what")?,
    ];
    let row = |line: &str| -> Result<Row> {
        let fields = fields(line)?;
        let (found, expected) = (fields.len(), names.len());
        ensure!(found == expected, "{found} fields instead of {expected}");
        let count = |at: usize| -> Result<Option<u64>> {
            let field = &fields[at];
            let number =
                || field.parse().with_context(|| format!("{field:?} is not a number of games"));
            (!field.is_empty()).then(number).transpose()
        };
        let counts = [count(wins)?, count(losses)?, count(draws)?];
        let shown = counts.map(|count| count.map_or("?".into(), |count| count.to_string()));
        let any = counts.iter().any(Option::is_some);
        let all = |[won, lost, drawn]: [Option<u64>; 3]| Some([won?, lost?, drawn?]);
        Ok(Row {
            counts: all(counts),
            result: if any { shown.join("-") } else { String::new() },
            date: fields[date].clone(),
            base: fields[base].clone(),
            game: fields[game].clone(),
            limit: fields[limit].clone(),
            elo: fields[elo].clone(),
            kept: fields[kept].clone(),
            what: fields[what].clone(),
        })
    };
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| row(line).with_context(|| format!("line {number}")))
        .collect()
}

/// Splits a line into fields. A quoted field may contain commas, and doubled quotes.
///
/// # Errors
/// A quote is left open or is inside a plain field.
fn fields(line: &str) -> Result<Vec<String>> {
    let (mut fields, mut field) = (Vec::new(), String::new());
    let (mut quoted, mut closed) = (false, false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                field.push('"');
                chars.next();
            }
            '"' if quoted => (quoted, closed) = (false, true),
            '"' if field.is_empty() && !closed => quoted = true,
            '"' => bail!("a quote inside a field"),
            ',' if !quoted => {
                fields.push(std::mem::take(&mut field));
                closed = false;
            }
            _ => field.push(c),
        }
    }
    ensure!(!quoted, "a quote is left open");
    fields.push(field);
    Ok(fields)
}

/// The rows and their sums as text.
fn report(rows: &[Row], by: Group) -> String {
    let width = |name: &str, of: fn(&Row) -> &str| {
        rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0).max(name.len())
    };
    let game = width("game", |row| &row.game);
    let limit = width("limit", |row| &row.limit);
    let base = width("against", |row| &row.base);
    let mut text = String::new();
    let mut line = |[date, on, at, result, elo, kept, against, what]: [&str; 8]| {
        let row = format!(
            "{date:<10}  {on:<game$}  {at:<limit$}  {result:>12}  {elo:>5}  {kept:<4}  \
             {against:<base$}  {what}"
        );
        let _ = writeln!(text, "{}", row.trim_end());
    };
    line(["date", "game", "limit", "result", "elo", "kept", "against", "change"]);
    for row in rows {
        line([
            &row.date,
            &row.game,
            &row.limit,
            &row.result,
            &row.elo,
            &row.kept,
            &row.base,
            &row.what,
        ]);
    }
    text + "\n" + &sums(rows, by)
}

/// The sums by a column and of all rows as text.
fn sums(rows: &[Row], by: Group) -> String {
    let mut groups: BTreeMap<&str, Sum> = BTreeMap::new();
    let mut total = Sum::default();
    for row in rows {
        let name = match by {
            Group::Game => &row.game,
            Group::Limit => &row.limit,
            Group::Against => &row.base,
            Group::Kept => &row.kept,
        };
        groups.entry(if name.is_empty() { "-" } else { name }).or_default().add(row);
        total.add(row);
    }
    let width = groups.keys().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let mut text = String::new();
    for (name, sum) in &groups {
        let _ = writeln!(text, "{name:<width$}  {}", sum.text());
    }
    if groups.len() != 1 {
        let _ = writeln!(text, "{:<width$}  {}", "total", total.text());
    }
    text
}

/// Sum of results.
#[derive(Default)]
struct Sum {
    matches: usize,
    /// Matches with a missing count.
    uncounted: usize,
    counts: [u64; 3],
}

impl Sum {
    fn add(&mut self, row: &Row) {
        self.matches += 1;
        match row.counts {
            Some(counts) => (0..3).for_each(|i| self.counts[i] += counts[i]),
            None => self.uncounted += 1,
        }
    }

    fn text(&self) -> String {
        let [won, lost, drawn] = self.counts;
        let result = format!("{won}-{lost}-{drawn}");
        let matches = if self.matches == 1 { "match  " } else { "matches" };
        let mut text = format!("{:>4} {matches}  {result:>16}", self.matches);
        if self.counts != [0; 3] {
            let _ = write!(text, "  Elo {:.0}", elo_of_games(self.counts));
        }
        if self.uncounted > 0 {
            let _ = write!(text, "  ({} without counts)", self.uncounted);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
date,base,game,limit,wins,losses,draws,elo,kept,what
2026-11-24,before,renju 15,20000 nodes,60,40,0,+70,yes,\"a change, with \"\"quotes\"\"\"
2026-11-23,Rapfi,renju 15,500 ms a move,30,10,10,,,
2026-11-22,before,pente,20000 nodes,,,,+9,no,percentage alone
2026-11-21,baseline,pente,1000 nodes,38,,,,,wins alone
";

    fn args() -> Args {
        Args {
            game: None,
            limit: None,
            against: None,
            kept: None,
            by: Group::Game,
            quiet: false,
            file: PathBuf::new(),
        }
    }

    fn numbers(args: &Args) -> Vec<usize> {
        let rows = read(TABLE).unwrap();
        (0..rows.len()).filter(|&i| args.selects(&rows[i])).collect()
    }

    #[test]
    fn filters_match_any_part_of_a_field() {
        assert_eq!(numbers(&args()), [0, 1, 2, 3]);
        assert_eq!(numbers(&Args { game: Some("RENJU".into()), ..args() }), [0, 1]);
        assert_eq!(numbers(&Args { limit: Some("nodes".into()), ..args() }), [0, 2, 3]);
        assert_eq!(numbers(&Args { against: Some("rapfi".into()), ..args() }), [1]);
        assert_eq!(numbers(&Args { kept: Some(Kept::No), ..args() }), [2]);
        assert_eq!(numbers(&Args { kept: Some(Kept::None), ..args() }), [1, 3]);
    }

    #[test]
    fn rows_are_summed_by_group_and_in_total() {
        let rows = read(TABLE).unwrap();
        assert_eq!(rows[0].what, "a change, with \"quotes\"");
        let text = sums(&rows, Group::Game);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].starts_with("pente") && lines[0].ends_with("(2 without counts)"));
        assert!(lines[1].contains("2 matches") && lines[1].contains("90-50-10"), "{text}");
        assert!(lines[1].contains("Elo +95 ["), "{text}");
        assert!(lines[2].starts_with("total") && lines[2].contains("4 matches"), "{text}");
        let text = report(&rows, Group::Kept);
        assert_eq!(text.lines().count(), 10, "{text}");
        assert!(text.contains("38-?-?"), "{text}");
    }

    #[test]
    fn errors_in_a_table_name_the_line() {
        let head = TABLE.lines().next().unwrap();
        let error = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert_eq!(error("date,game"), "no column \"base\"");
        assert_eq!(error(&format!("{head}\na,b")), "line 2: 2 fields instead of 10");
        let row = "d,b,g,l,1,x,0,,,";
        assert!(error(&format!("{head}\n{row}")).starts_with("line 2: \"x\" is not a number"));
        for open in ["\"a", "a\"b", "\"a\"\"", "\"a\"b\""] {
            assert!(fields(open).is_err(), "{open}");
        }
    }

    #[test]
    fn the_table_of_the_journal_is_read() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/matches.csv");
        assert!(read(&fs::read_to_string(path).unwrap()).unwrap().len() >= 280);
    }
}
