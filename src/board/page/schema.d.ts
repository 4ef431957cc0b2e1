// Made of src/board/schema by its test: GOREN_TYPES=write cargo test -p goren-board

/** A point: column from the left, row from the top, from 0. */
export type Cell = [number, number];

export type Color = "black" | "white";

/**
 * The time control of a game, the same for both sides.
 */
export type TimeControl = { 
/**
 * Milliseconds for the game; absent for no limit.
 */
game_ms: number | null, 
/**
 * Milliseconds added to the time for the game with each ply.
 */
increment_ms: number, 
/**
 * Maximum milliseconds for a ply; absent for no limit.
 */
move_ms: number | null, };

/**
 * A request for a game.
 */
export type GameChoice = { 
/**
 * Name with options, such as `pente+keryo`.
 */
variant: string, 
/**
 * Columns and rows; absent for the default board.
 */
size: [number, number] | null, 
/**
 * The opening; absent for the default one.
 */
opening: string | null, 
/**
 * Whether the first to pass wins what would be a draw.
 */
tie_break: boolean, 
/**
 * Whether only one of the mirrored and rotated forms of a renju opening is allowed.
 */
strict: boolean, };

/**
 * Who acts for a seat.
 */
export type Player = "person" | "engine";

/**
 * A file format of a game.
 */
export type Form = "sgf" | "psq" | "moves" | "json" | "lib" | "tree";

/**
 * A search that the user starts on demand.
 */
export type Query = "hint" | "threat" | "vcf" | "other_win" | "vct" | "defences" | "balance" | "balance_two";

/**
 * The database record of a position.
 */
export type Known = { 
/**
 * Its label, a letter, for the side that has just moved: `w` wins, `l` loses, `d` is
 * a draw, `x` is a move that the engine must not play, `!` the move that it must play;
 * empty for none.
 */
label: string, 
/**
 * Points for the side to move; absent for none.
 */
value: number | null, 
/**
 * Search depth of the value, in plies.
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
 * The cell; in a game with gravity any cell of the column.
 */
cell: Cell, } | { "do": "choose", 
/**
 * Its index in [`Decision::ways`](super::Decision::ways).
 */
way: number, } | { "do": "declare", 
/**
 * The number.
 */
count: number, } | { "do": "play", 
/**
 * The ply, such as `h8`, `h8 j9`, `swap`, `pass`.
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
 * Its level for the first and the second seat: a name of the catalogue, or a number
 * from 0 to 100.
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
 * Number of lines; 0 ends the analysis.
 */
lines: number, } | { "do": "search", 
/**
 * What to search for.
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
 * The number of its game, from 1; if absent and the file has several games, the
 * answer is their list.
 */
number?: number, } | { "do": "save", 
/**
 * Its format.
 */
form: Form, } | { "do": "keep", } | { "do": "restore", 
/**
 * The tree as [`Form::Tree`].
 */
text: string, } | { "do": "link", } | { "do": "open_link", 
/**
 * The fragment after the `#`, or the whole URL.
 */
text: string, } | { "do": "frames", } | { "do": "follow", 
/**
 * The node that they follow. If another node is shown by now, the command does
 * nothing, unless `stay` is set.
 */
node: number, 
/**
 * The stones.
 */
cells: Cell[], 
/**
 * Whether to only add the line and keep showing the same position.
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
 * Whether to overwrite an existing file.
 */
over: boolean, } | { "do": "review", 
/**
 * Milliseconds of a search; a ply takes one or two searches.
 */
time_ms: number, } | { "do": "stop_review", } | { "do": "why", 
/**
 * The node after a judged ply.
 */
node: number, 
/**
 * Whether to add the best line instead of the ply, else the line after the ply.
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
 * Whether to create it: it must not exist yet.
 */
new: boolean, } | { "do": "set_record", 
/**
 * The node of the position; another node may be shown by now.
 */
node: number, 
/**
 * The record; a new value counts as exact.
 */
record: Known, 
/**
 * The record that the page showed when the user edited it; absent for none. Fields
 * of `record` that are equal to it stay as they are in the database.
 */
seen: Known | null, } | { "do": "set_point_text", 
/**
 * The node of the position, as in `SetRecord`.
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
 * The node of the position, as in `SetRecord`.
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
 * Its description, a sentence without a full stop.
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
 * The default board with it, columns and rows; absent for the default of the game.
 */
size: [number, number] | null, 
/**
 * All possible boards with it.
 */
boards: Boards, };

/**
 * The boards a game can be played on.
 */
export type Boards = { 
/**
 * Minimum side length.
 */
least: number, 
/**
 * Maximum side length.
 */
most: number, 
/**
 * Whether both sides must be equal.
 */
square: boolean, 
/**
 * Whether sides must be even.
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
 * Its description, a line.
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
 * All possible boards.
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
 * A named playing level.
 */
export type LevelInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its description, a sentence.
 */
text: string, };

/**
 * The games, levels and limits to choose from.
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
 * The named playing levels, the weakest first.
 */
levels: Array<LevelInfo>, 
/**
 * Maximum number of search threads.
 */
threads: number, 
/**
 * Maximum number of lines of an analysis.
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
 * Maximum size of a command in bytes.
 */
bytes: number, };

/**
 * Who plays, and the settings of the engine.
 */
export type Setting = { 
/**
 * Who acts for the first and the second seat.
 */
players: [Player, Player], 
/**
 * The engine's level for each seat.
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
 * The state of the clock at the position shown.
 */
export type ClockView = { 
/**
 * The time control; absent where the game has no clock.
 */
control: TimeControl | null, 
/**
 * Milliseconds that each seat has left for the game; absent without such a limit.
 */
game_ms: [number | null, number | null], 
/**
 * Milliseconds that each seat has left for the ply; absent without such a limit.
 */
move_ms: [number | null, number | null], 
/**
 * The seat whose time runs; absent while the clock is stopped.
 */
running: number | null, 
/**
 * The seat that has run out of time and so lost.
 */
out: number | null, };

/**
 * The game being played.
 */
export type Game = { 
/**
 * Name with options.
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
 * Whether only one of the mirrored and rotated forms of a renju opening is allowed.
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
 * Whether the engine can search for wins by fours and by threats.
 */
threats: boolean, 
/**
 * Outermost rings of the board on which stones do not count for lines.
 */
idle_rings: number, 
/**
 * Number of stones to capture for a win; absent if captures do not win.
 */
goal: number | null, 
/**
 * The rules in sentences.
 */
rules: Array<string>, 
/**
 * The players' names in the file of the game, by seat; absent if unknown.
 */
names: [string | null, string | null], 
/**
 * The title in the file of the game, such as the event and the date; absent for none.
 */
title: string | null, };

/**
 * A stone or a wall on the board.
 */
export type Stone = { 
/**
 * The point.
 */
cell: Cell, 
/**
 * Its colour; absent for a wall.
 */
color: Color | null, 
/**
 * Number of the stone in the game, from 1; absent for a wall, and for stones of a set-up
 * position or of an unfinished ply.
 */
number: number | null, };

/**
 * A choice of a pending decision that places stones.
 */
export type Way = { 
/**
 * Its description.
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
 * The pending decision of the seat to act.
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
 * The choices that place stones.
 */
ways: Array<Way>, 
/**
 * Index of the selected choice.
 */
way: number, 
/**
 * The colour of its next stone; absent when all are placed.
 */
next: Color | null, 
/**
 * Number of its stones still to place.
 */
left: number, 
/**
 * The question of the opening, as a sentence; absent for plain moves.
 */
stage: string | null, };

/**
 * A forbidden point.
 */
export type Foul = { 
/**
 * The point.
 */
cell: Cell, 
/**
 * The fouls that a stone there would make.
 */
kinds: Array<string>, };

/**
 * The threat that a stone would make, on all four lines of its point together.
 */
export type ThreatKind = "five" | "open_four" | "four_three" | "four" | "double_three" | "open_three";

/**
 * A point where a stone of a side would make a threat.
 */
export type Threat = { 
/**
 * The point.
 */
cell: Cell, 
/**
 * The side.
 */
color: Color, 
/**
 * The threat.
 */
kind: ThreatKind, };

/**
 * How the game ended.
 */
export type Outcome = { 
/**
 * The winner; absent for a draw.
 */
winner: Color | null, 
/**
 * The result and its reason, as a sentence.
 */
text: string, 
/**
 * The winning lines.
 */
lines: Cell[][], };

/**
 * The position shown.
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
 * The stones of an unfinished turn.
 */
placed: Array<Stone>, 
/**
 * The stones of the last ply.
 */
last: Cell[], 
/**
 * The colour to move.
 */
to_move: Color, 
/**
 * The seat that plays Black, 0 or 1.
 */
black: number, 
/**
 * The pending decision; absent when the game is over.
 */
decision: Decision | null, 
/**
 * The legal points of the next stone.
 */
legal: Cell[], 
/**
 * Points where the side to move would lose by a foul.
 */
forbidden: Array<Foul>, 
/**
 * Points where a stone of either side would make a threat, without fouls. Empty if the
 * game is over or is not five in a row.
 */
threats: Array<Threat>, 
/**
 * The fifths on offer.
 */
offers: Cell[], 
/**
 * Numbers of stones that Black and White have captured.
 */
captured: [number, number], 
/**
 * How the game ended, if it has.
 */
outcome: Outcome | null, };

/**
 * Summary of a game of a file.
 */
export type FileGame = { 
/**
 * The players of Black and White at the end; empty if unknown.
 */
players: [string, string], 
/**
 * Text that distinguishes it from the other games of its file; may be empty.
 */
title: string, 
/**
 * The winner; absent for a draw, and if unknown.
 */
winner: Color | null, 
/**
 * Whether it was drawn.
 */
drawn: boolean, 
/**
 * Number of stones.
 */
stones: number, 
/**
 * Why it cannot be read; absent if it can.
 */
fault: string | null, };

/**
 * A position of the line shown, as a frame of an animation.
 */
export type Frame = { 
/**
 * The stones on the board.
 */
stones: Array<Stone>, 
/**
 * The stones of the last ply.
 */
last: Cell[], };

/**
 * A mark on a point.
 */
export type Mark = "circle" | "square" | "triangle" | "cross";

/**
 * The score recorded with a ply: by the engine that played it, or in the file of the game.
 */
export type RecordedScore = { 
/**
 * The score for the side that played, such as `+35` or `+M5`.
 */
text: string, 
/**
 * Black's win rate after the ply, 0 to 1.
 */
black: number, 
/**
 * Search depth; 0 if unknown.
 */
depth: number, 
/**
 * Milliseconds that the ply took; 0 if unknown.
 */
time_ms: number, };

/**
 * A node of the tree: a position and the ply that led to it.
 */
export type Node = { 
/**
 * Its number; 0 is the root.
 */
id: number, 
/**
 * The node before; absent for the root.
 */
parent: number | null, 
/**
 * The ply in words; empty for the root.
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
 * Labels on points.
 */
labels: [Cell, string][], 
/**
 * The score recorded with the ply.
 */
score?: RecordedScore, 
/**
 * The nodes after it, the main line first.
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
 * The nodes from the root to the end of the line shown.
 */
line: Array<number>, 
/**
 * Whether an [`Event::Kept`] with this tree was just sent. For a large tree the page
 * requests it only now and then.
 */
kept: boolean, };

/**
 * A stone of a line.
 */
export type LineStone = { 
/**
 * The point.
 */
cell: Cell, 
/**
 * Its colour.
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
 * Black's win rate, 0 to 1.
 */
black: number, 
/**
 * Loss of win rate against the best line, for the side to move, 0 to 1.
 */
loss: number, 
/**
 * The stones as text.
 */
text: string, };

/**
 * The lines that a search has found.
 */
export type Lines = { 
/**
 * The node of the searched position.
 */
node: number, 
/**
 * The query that is answered; absent in the running analysis.
 */
query: Query | null, 
/**
 * The lines, the best first.
 */
lines: Array<Line>, 
/**
 * Depth of the iteration.
 */
depth: number, 
/**
 * Deepest ply reached.
 */
seldepth: number, 
/**
 * Nodes searched.
 */
nodes: number, 
/**
 * Milliseconds since the start of the search.
 */
elapsed_ms: number, 
/**
 * Whether the search is over.
 */
done: boolean, };

/**
 * The state of a review.
 */
export type ReviewState = "none" | "running" | "stopped" | "done";

/**
 * How bad a move was, by its loss of win rate.
 */
export type Grade = "inaccuracy" | "mistake" | "blunder";

/**
 * A ply that the review has judged.
 */
export type ReviewPly = { 
/**
 * The node after it.
 */
node: number, 
/**
 * Number of the ply in the game, from 1.
 */
number: number, 
/**
 * The side that played it.
 */
color: Color, 
/**
 * The ply in words.
 */
text: string, 
/**
 * Black's win rate after it, 0 to 1.
 */
black: number, 
/**
 * The score for the side that played it.
 */
score: string, 
/**
 * The best turn instead; empty if the ply was the best.
 */
best: string, 
/**
 * The score of the best turn.
 */
best_score: string, 
/**
 * Its loss of win rate, 0 to 1.
 */
loss: number, 
/**
 * How bad it was; absent for a good move.
 */
grade: Grade | null, 
/**
 * How it changed the proven result; empty if it did not.
 */
proof_note: string, };

/**
 * Summary of a side's moves in a game.
 */
export type ReviewSide = { 
/**
 * Number of judged moves.
 */
moves: number, 
/**
 * Average share of the win rate that a move kept, 0 to 1.
 */
accuracy: number, 
/**
 * Number of inaccuracies.
 */
inaccuracies: number, 
/**
 * Number of mistakes.
 */
mistakes: number, 
/**
 * Number of blunders.
 */
blunders: number, };

/**
 * The review of a game.
 */
export type ReviewView = { 
/**
 * Its state.
 */
state: ReviewState, 
/**
 * Number of plies done.
 */
done: number, 
/**
 * Number of plies to review.
 */
of: number, 
/**
 * The plies judged so far that are still in the tree.
 */
plies: Array<ReviewPly>, 
/**
 * The summaries of Black and White.
 */
sides: [ReviewSide, ReviewSide], 
/**
 * The node of the move that decided the game, if there is one.
 */
losing: number | null, 
/**
 * That move in a sentence.
 */
decision: string, 
/**
 * Number of plies from which puzzles can be made.
 */
misses: number, };

/**
 * The task of a puzzle.
 */
export type PuzzleKind = "fours" | "threats" | "win" | "defence";

/**
 * A puzzle.
 */
export type PuzzleInfo = { 
/**
 * Its task.
 */
kind: PuzzleKind, 
/**
 * Whether only a longer search solves it.
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
 * The puzzle as a line of JSON, for `train`.
 */
text: string, };

/**
 * The state of an exercise.
 */
export type ExerciseState = "none" | "asked" | "judged" | "solving" | "wrong" | "revealed" | "solved";

/**
 * The current exercise.
 */
export type Exercise = { 
/**
 * Its state.
 */
state: ExerciseState, 
/**
 * The state or the question, as a sentence.
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
 * The state of a walk.
 */
export type WalkState = "none" | "opening" | "waiting" | "asked" | "stuck" | "won";

/**
 * A walk through a winning tree: the user plays the defender.
 */
export type Walk = { 
/**
 * Its state.
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
 * Its state in sentences.
 */
text: string, 
/**
 * The side that plays by the tree.
 */
attacker: Color, 
/**
 * The node of the position.
 */
node: number, 
/**
 * The replies there that need an answer of their own; absent if unknown.
 */
left: Cell[] | null, 
/**
 * The forced line: as long as there is a single reply.
 */
forced: Line | null, 
/**
 * The attacker's threat.
 */
threat: Line | null, };

/**
 * The database's knowledge of a move from the position shown.
 */
export type KnownMove = { 
/**
 * The point.
 */
cell: Cell, 
/**
 * The label of the position after it, with the plies to the end, or the win rate of
 * the side that moves there: `w13`, `l*`, `57%`; empty for none.
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
 * The database's knowledge of a position of the tree.
 */
export type KnownBranch = { 
/**
 * Its node.
 */
node: number, 
/**
 * As in [`KnownMove`], for the side that moved to this node.
 */
shown: string, };

/**
 * The open database and its knowledge of the position shown.
 */
export type Database = { 
/**
 * Its name; absent if none is open.
 */
name: string | null, 
/**
 * Number of records.
 */
records: number, 
/**
 * Whether it has changes that are not saved to its file.
 */
unsaved: boolean, 
/**
 * Why it cannot be changed; empty if it can.
 */
locked: string, 
/**
 * The node of the position.
 */
node: number, 
/**
 * The side that has just moved there, to which the labels refer.
 */
mover: Color, 
/**
 * Why a database cannot hold this position; empty if it can.
 */
foreign: string, 
/**
 * The record of the position; absent for none.
 */
here: Known | null, 
/**
 * The known moves from it.
 */
moves: Array<KnownMove>, 
/**
 * The known positions of the line shown, and of the branches off it.
 */
branches: Array<KnownBranch>, };

/**
 * A message to the page.
 */
export type Event = { "event": "catalogue" } & Catalogue | { "event": "game" } & Game | { "event": "setting" } & Setting | { "event": "clock" } & ClockView | { "event": "position" } & Position | { "event": "tree" } & TreeView | { "event": "line", 
/**
 * The nodes from the root to the end of that line.
 */
line: Array<number>, } | { "event": "searching", 
/**
 * Whether the engine decides on a ply that it will play.
 */
acts: boolean, 
/**
 * Whether a search is running.
 */
on: boolean, } | { "event": "lines" } & Lines | { "event": "hint", 
/**
 * The advice as a sentence.
 */
text: string, 
/**
 * The stones of the ply.
 */
cells: Cell[], } | { "event": "defences", 
/**
 * Its node.
 */
node: number, 
/**
 * The moves that are not proven to lose, if others are.
 */
cells: Cell[], } | { "event": "message", 
/**
 * The message, a sentence.
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
 * Suggested name.
 */
name: string, 
/**
 * MIME type.
 */
mime: string, 
/**
 * The text; for `application/octet-stream` the bytes, a character each.
 */
text: string, } | { "event": "kept", 
/**
 * The tree as [`Form::Tree`](super::Form::Tree).
 */
text: string, } | { "event": "replaced", 
/**
 * The tree as [`Form::Tree`](super::Form::Tree).
 */
text: string, 
/**
 * The name of the game, with options.
 */
game: string, 
/**
 * Number of positions after the root.
 */
positions: number, 
/**
 * Whether the game continues without a part: a branch or a review was removed.
 */
part: boolean, } | { "event": "noted", 
/**
 * The tree as [`Form::Tree`](super::Form::Tree).
 */
text: string, 
/**
 * The name of the game, with options.
 */
game: string, 
/**
 * Number of positions after the root.
 */
positions: number, } | { "event": "link", 
/**
 * The fragment after the `#`.
 */
text: string, } | { "event": "frames", 
/**
 * The positions, from the root on.
 */
frames: Array<Frame>, } | { "event": "files", 
/**
 * Their names, in order.
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
 * Whether the file has more games than these.
 */
more: boolean, } | { "event": "review" } & ReviewView | { "event": "shown", 
/**
 * Its nodes.
 */
nodes: Array<number>, } | { "event": "puzzles", 
/**
 * Whether the program ships them; else they were made from misses of the review.
 */
shipped: boolean, 
/**
 * The puzzles; made ones are sent as they are found.
 */
puzzles: Array<PuzzleInfo>, 
/**
 * Number of misses still to check.
 */
left: number, } | { "event": "trees", 
/**
 * The trees, in order of their names.
 */
trees: Array<TreeInfo>, } | { "event": "databases", 
/**
 * Their names, in order.
 */
names: Array<string>, } | { "event": "database" } & Database | { "event": "walk" } & Walk | { "event": "exercise" } & Exercise | { "event": "refused", 
/**
 * The reason, a sentence.
 */
text: string, };
