// Made of src/board/schema by its test: GOREN_TYPES=write cargo test -p goren-board

/** A point: column from the left, row from the top, from 0. */
export type Cell = [number, number];

export type Color = "black" | "white";

/**
 * The time that both sides have in a game.
 */
export type TimeControl = { 
/**
 * Milliseconds for the game; absent for no limit.
 */
game_ms: number | null, 
/**
 * Milliseconds that are added to these with each ply.
 */
increment_ms: number, 
/**
 * Most milliseconds for a ply; absent for no limit.
 */
move_ms: number | null, };

/**
 * A game as it is asked for.
 */
export type GameChoice = { 
/**
 * Its name with options, such as `pente+keryo`.
 */
variant: string, 
/**
 * Columns and rows; absent for the usual board.
 */
size: [number, number] | null, 
/**
 * The opening; absent for the usual one.
 */
opening: string | null, 
/**
 * Whether the first to pass wins what would be a draw.
 */
tie_break: boolean, 
/**
 * Whether of mirrored and turned renju openings only one is allowed.
 */
strict: boolean, };

/**
 * Who acts for a seat.
 */
export type Player = "person" | "engine";

/**
 * A form in which a game is saved.
 */
export type Form = "sgf" | "psq" | "moves" | "json" | "lib" | "tree";

/**
 * What is searched for on demand.
 */
export type Query = "hint" | "threat" | "vcf" | "other_win" | "vct" | "defences" | "balance" | "balance_two";

/**
 * What is known of a position.
 */
export type Known = { 
/**
 * Its label, a letter, for the side that has just moved: `w` wins, `l` loses, `d` is
 * a draw, `x` is a move that the engine must not play, `!` the one that it must; empty
 * for none.
 */
label: string, 
/**
 * Points for the side to move; absent where there are none.
 */
value: number | null, 
/**
 * Plies that the value was searched to.
 */
depth: number, 
/**
 * Whether the value is `exact`, or a `lower` or `upper` bound.
 */
bound: string, 
/**
 * The comment; may be empty.
 */
comment: string, };

/**
 * A message from the page. Cells are `[x, y]`, from the upper left.
 */
export type Command = { "do": "show", } | { "do": "new", 
/**
 * The game.
 */
game: GameChoice, 
/**
 * Who acts for the first and the second seat.
 */
players: [Player, Player], 
/**
 * The time control; absent for a game without a clock.
 */
time: TimeControl | null, } | { "do": "place", 
/**
 * Where. Where pieces fall, any cell of the column.
 */
cell: Cell, } | { "do": "choose", 
/**
 * Its number in [`Decision::ways`](super::Decision::ways).
 */
way: number, } | { "do": "declare", 
/**
 * The number.
 */
count: number, } | { "do": "play", 
/**
 * Such as `h8`, `h8 j9`, `swap`, `pass`.
 */
text: string, } | { "do": "swap", } | { "do": "pass", } | { "do": "undo", } | { "do": "redo", } | { "do": "go", 
/**
 * Its node.
 */
node: number, } | { "do": "remove", 
/**
 * The node.
 */
node: number, } | { "do": "promote", 
/**
 * The node.
 */
node: number, } | { "do": "comment", 
/**
 * Its node.
 */
node: number, 
/**
 * The comment; empty for none.
 */
text: string, } | { "do": "mark", 
/**
 * The node.
 */
node: number, 
/**
 * The point.
 */
cell: Cell, 
/**
 * The mark; absent for none.
 */
mark: Mark | null, } | { "do": "label", 
/**
 * The node.
 */
node: number, 
/**
 * The point.
 */
cell: Cell, 
/**
 * The text; empty for none.
 */
text: string, } | { "do": "players", 
/**
 * Who acts for the first and the second seat.
 */
players: [Player, Player], } | { "do": "engine", 
/**
 * Its strength for the first and the second seat: a name of the catalogue, or a
 * number from 0 to 100.
 */
levels: [string, string], 
/**
 * Milliseconds for a ply, in a game without a clock.
 */
time_ms: number, 
/**
 * Search threads.
 */
threads: number, } | { "do": "clock", 
/**
 * Whether it runs.
 */
run: boolean, } | { "do": "time", } | { "do": "time_control", 
/**
 * The time control; absent for a game without a clock.
 */
time: TimeControl | null, } | { "do": "move", } | { "do": "analyse", 
/**
 * Number of lines; 0 ends it.
 */
lines: number, } | { "do": "search", 
/**
 * What for.
 */
query: Query, } | { "do": "stop", } | { "do": "explain", 
/**
 * The point.
 */
cell: Cell, } | { "do": "open", 
/**
 * Its name, for messages.
 */
name: string, 
/**
 * Its bytes, a character each, U+0000 to U+00FF.
 */
bytes: string, 
/**
 * The number of its game, from 1; absent for the only one: of several the page is
 * told a list.
 */
number?: number, } | { "do": "save", 
/**
 * In which form.
 */
form: Form, } | { "do": "keep", } | { "do": "restore", 
/**
 * The text.
 */
text: string, } | { "do": "link", } | { "do": "open_link", 
/**
 * What stands behind its `#`, or the whole address.
 */
text: string, } | { "do": "frames", } | { "do": "follow", 
/**
 * The node of the position that they follow on: where another one is shown by now,
 * nothing is done, unless the position stays.
 */
node: number, 
/**
 * The stones.
 */
cells: Cell[], 
/**
 * Whether the position that is shown stays so: the line is only added.
 */
stay?: boolean, } | { "do": "files", } | { "do": "open_file", 
/**
 * Its name.
 */
name: string, 
/**
 * The number of its game, as in [`Command::Open`].
 */
number?: number, } | { "do": "save_file", 
/**
 * Its name.
 */
name: string, 
/**
 * Whether one that is there is written over.
 */
over: boolean, } | { "do": "review", 
/**
 * Milliseconds of a search; a ply takes one or two.
 */
time_ms: number, } | { "do": "stop_review", } | { "do": "why", 
/**
 * The node after a ply that was judged.
 */
node: number, 
/**
 * Whether the best line instead of the ply is meant, else what follows on it.
 */
better: boolean, } | { "do": "make_puzzles", } | { "do": "puzzles", } | { "do": "train", 
/**
 * The puzzle as a line of JSON.
 */
puzzle: string, } | { "do": "again", } | { "do": "solve", } | { "do": "databases", } | { "do": "open_database", 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it is begun: then it is not there yet.
 */
new: boolean, } | { "do": "set_record", 
/**
 * The node of that position: another one may be shown by now.
 */
node: number, 
/**
 * What is known; a value that is new counts as exact.
 */
record: Known, 
/**
 * What the page showed as known when that was typed; absent for nothing. Whatever is
 * no different from it stays as it is in the database.
 */
seen: Known | null, } | { "do": "set_point_text", 
/**
 * The node of that position, as in `SetRecord`.
 */
node: number, 
/**
 * The point.
 */
cell: Cell, 
/**
 * The text, without blanks; empty for none.
 */
text: string, } | { "do": "forget_record", 
/**
 * The node of that position, as in `SetRecord`.
 */
node: number, } | { "do": "save_database", } | { "do": "close_database", } | { "do": "trees", } | { "do": "walk", 
/**
 * The name of the tree.
 */
name: string, } | { "do": "leave", };

/**
 * An opening.
 */
export type OpeningInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it is, in a sentence without its end.
 */
text: string, };

/**
 * An option of a game.
 */
export type OptionInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it changes.
 */
text: string, 
/**
 * The options that exclude it.
 */
excluded_by: Array<string>, 
/**
 * The usual board with it, columns and rows; absent where that is the game's own.
 */
size: [number, number] | null, 
/**
 * All boards with it.
 */
boards: Boards, };

/**
 * The boards a game can be played on.
 */
export type Boards = { 
/**
 * The shortest side.
 */
least: number, 
/**
 * The longest side.
 */
most: number, 
/**
 * Whether both sides are alike.
 */
square: boolean, 
/**
 * Whether sides are even.
 */
even: boolean, };

/**
 * A game of the catalogue.
 */
export type GameInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it is, in a line.
 */
text: string, 
/**
 * Its rules, a few sentences each.
 */
rules: Array<string>, 
/**
 * Its options.
 */
options: Array<OptionInfo>, 
/**
 * Usual boards, columns and rows, the default first.
 */
sizes: Array<[number, number]>, 
/**
 * All boards.
 */
boards: Boards, 
/**
 * Its openings, the default first.
 */
openings: Array<OpeningInfo>, 
/**
 * Whether players may pass.
 */
passes: boolean, };

/**
 * A level of strength that has a name.
 */
export type LevelInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * What to expect of it, in a sentence.
 */
text: string, };

/**
 * What there is to choose from.
 */
export type Catalogue = { 
/**
 * The version of the program.
 */
version: string, 
/**
 * All games.
 */
games: Array<GameInfo>, 
/**
 * The levels of strength that have names, the weakest first.
 */
levels: Array<LevelInfo>, 
/**
 * Most search threads.
 */
threads: number, 
/**
 * Most lines of an analysis.
 */
lines: number, 
/**
 * Whether there is a folder for files.
 */
folder: boolean, 
/**
 * Whether winning trees can be walked through.
 */
trees: boolean, 
/**
 * Most bytes of a command.
 */
bytes: number, };

/**
 * How the engine plays.
 */
export type Setting = { 
/**
 * Who acts for the first and the second seat.
 */
players: [Player, Player], 
/**
 * Its level for each of them.
 */
levels: [string, string], 
/**
 * Milliseconds for a ply, in a game without a clock.
 */
time_ms: number, 
/**
 * Search threads.
 */
threads: number, 
/**
 * Lines of the analysis; 0 if it is off.
 */
lines: number, };

/**
 * How the clock stands at the position shown.
 */
export type ClockView = { 
/**
 * The time control; absent where the game has no clock.
 */
control: TimeControl | null, 
/**
 * Milliseconds that the seats have left for the game; absent without that limit.
 */
game_ms: [number | null, number | null], 
/**
 * Milliseconds that they have left for a ply; absent without that limit.
 */
move_ms: [number | null, number | null], 
/**
 * The seat whose time runs; absent while the clock is stopped.
 */
running: number | null, 
/**
 * The seat whose time is out: it has lost.
 */
out: number | null, };

/**
 * The game that is played.
 */
export type Game = { 
/**
 * Its name with options.
 */
variant: string, 
/**
 * Columns.
 */
width: number, 
/**
 * Rows.
 */
height: number, 
/**
 * The opening.
 */
opening: string, 
/**
 * Whether the first to pass wins what would be a draw.
 */
tie_break: boolean, 
/**
 * Whether of mirrored and turned renju openings only one is allowed.
 */
strict: boolean, 
/**
 * Whether lines run across the edges.
 */
torus: boolean, 
/**
 * Whether pieces fall.
 */
falls: boolean, 
/**
 * Whether a colour has forbidden points.
 */
fouls: boolean, 
/**
 * Whether wins by fours and by threats are searched for.
 */
threats: boolean, 
/**
 * Outermost rings of the board on which stones count for nothing.
 */
idle_rings: number, 
/**
 * Stones to capture for a win, where stones are counted.
 */
goal: number | null, 
/**
 * The rules in sentences.
 */
rules: Array<string>, 
/**
 * Who plays it, by the seats, as its file says; absent where that is not known.
 */
names: [string | null, string | null], 
/**
 * What its file says that it is, such as the event and the date; absent for nothing.
 */
title: string | null, };

/**
 * A stone or a wall on the board.
 */
export type Stone = { 
/**
 * Where.
 */
cell: Cell, 
/**
 * Whose; absent for a wall.
 */
color: Color | null, 
/**
 * Number of the stone in the game, from 1; absent for a wall, for a stone of a set-up
 * position and for one of an unfinished ply.
 */
number: number | null, };

/**
 * A way to go on.
 */
export type Way = { 
/**
 * What is done, in words.
 */
text: string, 
/**
 * The colours of its stones, in order.
 */
colors: Color[], 
/**
 * Least and largest number to declare with them.
 */
declare: [number, number] | null, };

/**
 * What the seat to act has to decide.
 */
export type Decision = { 
/**
 * The seat, 0 or 1.
 */
seat: number, 
/**
 * The colour whose stone or answer is due.
 */
color: Color, 
/**
 * Whether it may swap.
 */
swap: boolean, 
/**
 * Whether it may pass.
 */
pass: boolean, 
/**
 * The ways to go on with stones.
 */
ways: Array<Way>, 
/**
 * The one that was chosen.
 */
way: number, 
/**
 * The colour of the next stone of this way; absent when all are placed.
 */
next: Color | null, 
/**
 * Stones of this way that are still to come.
 */
left: number, 
/**
 * What the opening asks, in a sentence; absent in plain moves.
 */
stage: string | null, };

/**
 * A forbidden point.
 */
export type Foul = { 
/**
 * Where.
 */
cell: Cell, 
/**
 * What a stone there would be.
 */
kinds: Array<string>, };

/**
 * What a stone would make, by all four lines of its point.
 */
export type ThreatKind = "five" | "open_four" | "four_three" | "four" | "double_three" | "open_three";

/**
 * A point where a stone of a side would make a threat.
 */
export type Threat = { 
/**
 * Where.
 */
cell: Cell, 
/**
 * Whose.
 */
color: Color, 
/**
 * Which.
 */
kind: ThreatKind, };

/**
 * How the game ended.
 */
export type Outcome = { 
/**
 * Who won; absent for a draw.
 */
winner: Color | null, 
/**
 * That in a sentence, with the reason.
 */
text: string, 
/**
 * The winning lines.
 */
lines: Cell[][], };

/**
 * A position as it is shown.
 */
export type Position = { 
/**
 * Its node in the tree.
 */
node: number, 
/**
 * The stones on the board.
 */
stones: Array<Stone>, 
/**
 * Stones of a turn that is not over.
 */
placed: Array<Stone>, 
/**
 * The stones of the newest ply.
 */
last: Cell[], 
/**
 * The colour to move.
 */
to_move: Color, 
/**
 * The seat that has Black, 0 or 1.
 */
black: number, 
/**
 * What is to be decided; absent when the game is over.
 */
decision: Decision | null, 
/**
 * Where the next stone may go.
 */
legal: Cell[], 
/**
 * Points where the side to move would lose by a foul.
 */
forbidden: Array<Foul>, 
/**
 * Points where a stone of either side would make a threat, fouls left out. None where
 * the game is over, or is not five in a row.
 */
threats: Array<Threat>, 
/**
 * The fifths on offer.
 */
offers: Cell[], 
/**
 * Stones that Black and White have captured.
 */
captured: [number, number], 
/**
 * How the game ended, if it has.
 */
outcome: Outcome | null, };

/**
 * A game of a file in short.
 */
export type FileGame = { 
/**
 * Black and White at the end; empty if unknown.
 */
players: [string, string], 
/**
 * What tells it from the others of its file; may be empty.
 */
title: string, 
/**
 * Who won; absent for a draw, and where that is not known.
 */
winner: Color | null, 
/**
 * Whether it was drawn.
 */
drawn: boolean, 
/**
 * Its stones.
 */
stones: number, 
/**
 * Why it cannot be read; absent where it can.
 */
fault: string | null, };

/**
 * A position of the line shown, as a part of a moving picture.
 */
export type Frame = { 
/**
 * The stones on the board.
 */
stones: Array<Stone>, 
/**
 * The stones of the newest ply.
 */
last: Cell[], };

/**
 * A mark on a point.
 */
export type Mark = "circle" | "square" | "triangle" | "cross";

/**
 * A score that was recorded with a ply: by the engine that played it, or in its file.
 */
export type RecordedScore = { 
/**
 * The score for the side that played, such as `+35` or `+M5`.
 */
text: string, 
/**
 * The share of games that Black should win after the ply, 0 to 1.
 */
black: number, 
/**
 * Plies of the search; 0 if that is not known.
 */
depth: number, 
/**
 * Milliseconds that the ply took; 0 if that is not known.
 */
time_ms: number, };

/**
 * A node of the tree: a position and the ply that led to it.
 */
export type Node = { 
/**
 * Its number; 0 is the beginning.
 */
id: number, 
/**
 * The node before; absent for the beginning.
 */
parent: number | null, 
/**
 * The ply in words; empty for the beginning.
 */
text: string, 
/**
 * The colour that moved.
 */
color: Color | null, 
/**
 * A comment; may be empty.
 */
comment: string, 
/**
 * Marked points.
 */
marks: [Cell, Mark][], 
/**
 * Texts on points.
 */
labels: [Cell, string][], 
/**
 * The score that was recorded with the ply.
 */
score?: RecordedScore, 
/**
 * The nodes after it, the first line first.
 */
children: Array<number>, };

/**
 * The tree of variations.
 */
export type TreeView = { 
/**
 * Its nodes.
 */
nodes: Array<Node>, 
/**
 * The nodes from the beginning to the end of the line shown.
 */
line: Array<number>, 
/**
 * Whether it was just told for the page to keep ([`Event::Kept`]): of a large tree
 * the page asks for that once in a while.
 */
kept: boolean, };

/**
 * A stone of a line.
 */
export type LineStone = { 
/**
 * Where.
 */
cell: Cell, 
/**
 * Whose.
 */
color: Color, };

/**
 * A line of a search.
 */
export type Line = { 
/**
 * Its stones.
 */
stones: Array<LineStone>, 
/**
 * The score for the side to move, such as `+35` or `+M5`.
 */
score: string, 
/**
 * The share of games that Black should win, 0 to 1.
 */
black: number, 
/**
 * What the side to move gives away against the best line, 0 to 1.
 */
loss: number, 
/**
 * The stones by their names.
 */
text: string, };

/**
 * What a search has found.
 */
export type Lines = { 
/**
 * The node whose position it is of.
 */
node: number, 
/**
 * What was searched for; absent in the running analysis.
 */
query: Query | null, 
/**
 * The lines, the best first.
 */
lines: Array<Line>, 
/**
 * Plies of the iteration.
 */
depth: number, 
/**
 * Deepest ply reached.
 */
seldepth: number, 
/**
 * Positions searched.
 */
nodes: number, 
/**
 * How long it took so far.
 */
elapsed_ms: number, 
/**
 * Whether the search is over.
 */
done: boolean, };

/**
 * How far a review has come.
 */
export type ReviewState = "none" | "running" | "stopped" | "done";

/**
 * How bad a move was, by the win rate it gave away.
 */
export type Grade = "inaccuracy" | "mistake" | "blunder";

/**
 * A ply that was judged.
 */
export type ReviewPly = { 
/**
 * The node after it.
 */
node: number, 
/**
 * Which ply of the game, from 1.
 */
number: number, 
/**
 * Who played it.
 */
color: Color, 
/**
 * The ply in words.
 */
text: string, 
/**
 * The share of games that Black should win after it, 0 to 1.
 */
black: number, 
/**
 * The score for the side that played it.
 */
score: string, 
/**
 * The best turn instead; empty if it was the best.
 */
best: string, 
/**
 * The score of the best turn.
 */
best_score: string, 
/**
 * The win rate that it gave away, 0 to 1.
 */
loss: number, 
/**
 * How bad that was; absent for a good move.
 */
grade: Grade | null, 
/**
 * What it did to what was proven; empty if nothing.
 */
proof_note: string, };

/**
 * What a side did in a game.
 */
export type ReviewSide = { 
/**
 * Moves that were judged.
 */
moves: number, 
/**
 * The share of the win rate that a move kept on average, 0 to 1.
 */
accuracy: number, 
/**
 * Moves of each grade.
 */
inaccuracies: number, 
/**
 * The same.
 */
mistakes: number, 
/**
 * The same.
 */
blunders: number, };

/**
 * What is known of a game by its review.
 */
export type ReviewView = { 
/**
 * How far it has come.
 */
state: ReviewState, 
/**
 * Plies that were looked at, and all of them.
 */
done: number, 
/**
 * The same.
 */
of: number, 
/**
 * The plies that are judged so far and still stand in the tree.
 */
plies: Array<ReviewPly>, 
/**
 * What Black and White did.
 */
sides: [ReviewSide, ReviewSide], 
/**
 * The node of the move that decided the game, if there is one.
 */
losing: number | null, 
/**
 * That in a sentence.
 */
decision: string, 
/**
 * Plies of which puzzles can be made.
 */
misses: number, };

/**
 * What a puzzle asks for.
 */
export type PuzzleKind = "fours" | "threats" | "win" | "defence";

/**
 * A puzzle.
 */
export type PuzzleInfo = { 
/**
 * What it asks for.
 */
kind: PuzzleKind, 
/**
 * Whether only a longer search finds it.
 */
hard: boolean, 
/**
 * The game.
 */
game: string, 
/**
 * Plies to the end of the win; absent for a defence.
 */
plies: number | null, 
/**
 * The puzzle as a line of JSON, which `train` takes.
 */
text: string, };

/**
 * How an exercise stands.
 */
export type ExerciseState = "none" | "asked" | "judged" | "solving" | "wrong" | "revealed" | "solved";

/**
 * The exercise at hand.
 */
export type Exercise = { 
/**
 * How it stands.
 */
state: ExerciseState, 
/**
 * That, or what is asked, in a sentence.
 */
text: string, 
/**
 * The puzzle as a line of JSON; empty if there is none.
 */
puzzle: string, 
/**
 * The node of the question.
 */
node: number, };

/**
 * A winning tree that can be walked through.
 */
export type TreeInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it proves, or why it cannot be read.
 */
text: string, };

/**
 * How a walk stands.
 */
export type WalkState = "none" | "opening" | "waiting" | "asked" | "stuck" | "won";

/**
 * A walk through a winning tree: a person plays the defender.
 */
export type Walk = { 
/**
 * How it stands.
 */
state: WalkState, 
/**
 * The name of the tree.
 */
name: string, 
/**
 * What it proves, in a sentence.
 */
claim: string, 
/**
 * How it stands, in sentences.
 */
text: string, 
/**
 * Who plays by the tree.
 */
attacker: Color, 
/**
 * The node whose position is spoken of.
 */
node: number, 
/**
 * The replies that are left there; absent where that is not known.
 */
left: Cell[] | null, 
/**
 * What follows as long as there is a single reply.
 */
forced: Line | null, 
/**
 * What the attacker threatens.
 */
threat: Line | null, };

/**
 * What is known of a move from the position shown.
 */
export type KnownMove = { 
/**
 * Where.
 */
cell: Cell, 
/**
 * The label of the position after it, with the plies to the end, or the chances of
 * the side that moves there: `w13`, `l*`, `57%`; empty where it has none.
 */
shown: string, 
/**
 * The text on the point; may be empty.
 */
text: string, 
/**
 * Whether the position after it has a comment.
 */
commented: boolean, };

/**
 * What is known of a position of the tree.
 */
export type KnownBranch = { 
/**
 * Its node.
 */
node: number, 
/**
 * As in [`KnownMove`], of the side that moved there.
 */
shown: string, };

/**
 * The open database and what it knows of the position shown.
 */
export type Database = { 
/**
 * Its name; absent where none is open.
 */
name: string | null, 
/**
 * Its records.
 */
records: number, 
/**
 * Whether there are changes that its file does not have.
 */
unsaved: boolean, 
/**
 * Why it cannot be changed; empty if it can.
 */
locked: string, 
/**
 * The node whose position is spoken of.
 */
node: number, 
/**
 * The side that has just moved there, of which labels speak.
 */
mover: Color, 
/**
 * Why a database cannot know this position; empty if it can.
 */
foreign: string, 
/**
 * What is known of the position; absent for nothing.
 */
here: Known | null, 
/**
 * What is known of the moves from it.
 */
moves: Array<KnownMove>, 
/**
 * What is known of the positions of the line shown, and of those that branch off it.
 */
branches: Array<KnownBranch>, };

/**
 * A message to the page.
 */
export type Event = { "event": "catalogue" } & Catalogue | { "event": "game" } & Game | { "event": "setting" } & Setting | { "event": "clock" } & ClockView | { "event": "position" } & Position | { "event": "tree" } & TreeView | { "event": "line", 
/**
 * The nodes from the beginning to the end of that line.
 */
line: Array<number>, } | { "event": "searching", 
/**
 * Whether the engine decides on a ply that it will play.
 */
acts: boolean, 
/**
 * Whether anything is searched.
 */
on: boolean, } | { "event": "lines" } & Lines | { "event": "hint", 
/**
 * In a sentence.
 */
text: string, 
/**
 * Its stones.
 */
cells: Cell[], } | { "event": "defences", 
/**
 * Its node.
 */
node: number, 
/**
 * The moves that are not proven to lose, where others are.
 */
cells: Cell[], } | { "event": "message", 
/**
 * In a sentence.
 */
text: string, } | { "event": "explanation", 
/**
 * The point.
 */
cell: Cell, 
/**
 * The verdict.
 */
verdict: string, 
/**
 * The reasons, two blanks a level.
 */
lines: Array<string>, } | { "event": "file", 
/**
 * A name for it.
 */
name: string, 
/**
 * The type of its text.
 */
mime: string, 
/**
 * The text; of `application/octet-stream` the bytes, a character each.
 */
text: string, } | { "event": "kept", 
/**
 * As [`Form::Tree`](super::Form::Tree) has it.
 */
text: string, } | { "event": "replaced", 
/**
 * As [`Form::Tree`](super::Form::Tree) has it.
 */
text: string, 
/**
 * The name of the game, with options.
 */
game: string, 
/**
 * Its positions after the first.
 */
positions: number, 
/**
 * Whether the game goes on, with less of it: a branch or a review is gone.
 */
part: boolean, } | { "event": "noted", 
/**
 * As [`Form::Tree`](super::Form::Tree) has it.
 */
text: string, 
/**
 * The name of the game, with options.
 */
game: string, 
/**
 * Its positions after the first.
 */
positions: number, } | { "event": "link", 
/**
 * What stands behind the `#`.
 */
text: string, } | { "event": "frames", 
/**
 * From the beginning on.
 */
frames: Array<Frame>, } | { "event": "files", 
/**
 * In order.
 */
names: Array<string>, } | { "event": "games", 
/**
 * The name of the file.
 */
name: string, 
/**
 * Its games, from the first on.
 */
games: Array<FileGame>, 
/**
 * Whether there are more of them.
 */
more: boolean, } | { "event": "review" } & ReviewView | { "event": "shown", 
/**
 * Its nodes.
 */
nodes: Array<number>, } | { "event": "puzzles", 
/**
 * Whether they belong to the program; else they were made of what was missed.
 */
shipped: boolean, 
/**
 * The puzzles; those that are made come as they are found.
 */
puzzles: Array<PuzzleInfo>, 
/**
 * Misses that are still to be looked at.
 */
left: number, } | { "event": "trees", 
/**
 * In order of their names.
 */
trees: Array<TreeInfo>, } | { "event": "databases", 
/**
 * Their names, in order.
 */
names: Array<string>, } | { "event": "database" } & Database | { "event": "walk" } & Walk | { "event": "exercise" } & Exercise | { "event": "refused", 
/**
 * Why, in a sentence.
 */
text: string, };
