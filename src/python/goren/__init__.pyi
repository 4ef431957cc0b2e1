"""Gomoku, Renju and the n-in-a-row family.

A point is a letter for the column from the left and the number of the row from the
bottom, such as ``"h8"``. Colours are ``"black"`` and ``"white"``. Scores are points for
the side to move; from 28500 on they are proven wins in ``30000 - score`` plies.
"""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Literal, final

import numpy as np
import numpy.typing as npt

__version__: str

_Color = Literal["black", "white"]
_Path = str | PathLike[str]
_Size = int | tuple[int, int]

class GorenError(ValueError):
    """Input that cannot be used."""

class IllegalMove(GorenError):
    """A move that cannot be read or played."""

def games() -> list[str]:
    """Lists the names of all games. Options are added with ``+``, as in ``pente+keryo``."""

@final
class Outcome:
    """How a game ended."""

    @property
    def winner(self) -> _Color | None:
        """The colour that won; None for a draw."""
    @property
    def reason(self) -> str:
        """Reason in words."""
    @property
    def lines(self) -> list[list[str]]:
        """The winning lines, each from one end to the other."""

@final
class Foul:
    """A point where a colour would commit a foul."""

    @property
    def point(self) -> str: ...
    @property
    def color(self) -> _Color: ...
    @property
    def kinds(self) -> list[str]:
        """Kinds of foul, such as ``["double three"]``."""
    @property
    def why(self) -> list[str]:
        """The lines and points behind it, one per line, indented by depth."""

@final
class Game:
    """A game in progress by the rules of any game of the family.

    ``size`` is one side or ``(columns, rows)``; by default the usual board of the game.
    ``moves`` is a text such as ``"h8i9j8"`` (with an opening such as ``"swap-2"``: plies
    with blanks between) or a list of plies. Invalid arguments raise GorenError; moves
    that cannot be read or played raise IllegalMove.
    """

    def __new__(
        cls,
        game: str = "freestyle",
        *,
        size: _Size | None = None,
        opening: str = "free",
        moves: str | Sequence[str] | None = None,
    ) -> Game: ...
    @staticmethod
    def from_stones(
        game: str = "freestyle",
        *,
        size: _Size | None = None,
        black: Sequence[str] | None = None,
        white: Sequence[str] | None = None,
        to_move: _Color | None = None,
        left: int | None = None,
    ) -> Game:
        """Creates a position whose moves are unknown.

        ``to_move`` is by default Black, or White if Black has more stones; ``left`` is the
        number of stones it places in this turn, by default a whole turn.
        """
    @staticmethod
    def from_json(text: str) -> Game:
        """Reads a game from a line written by `to_json` or ``goren match``."""
    @property
    def game(self) -> str:
        """Name of the variant with its options."""
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def opening(self) -> str: ...
    @property
    def to_move(self) -> _Color:
        """Colour to place a stone or to decide."""
    @property
    def plies(self) -> list[str]:
        """Plies so far; the stones of a ply are separated by commas."""
    @property
    def asks(self) -> str | None:
        """What the opening asks of the seat to act, in words; None for a plain turn."""
    @property
    def result(self) -> Outcome | None:
        """How the game ended; None while it is in progress."""
    def play(self, ply: str) -> None:
        """Plays a ply: ``"h8"``, ``"k10,k9"``, ``"pass"``, ``"swap"``; nothing changes
        if it is illegal."""
    def undo(self, plies: int = 1) -> None:
        """Takes back plies."""
    def legal_moves(self) -> list[str]:
        """Points where a stone may be placed now, and ``"swap"`` and ``"pass"`` if they
        are allowed. If a turn has two stones, the points for either. Empty if an opening
        asks for three or more stones at once; see `asks`."""
    def forbidden(self, color: _Color | None = None) -> list[Foul]:
        """Lists the forbidden points of one colour or of both."""
    def explain(self, point: str, color: _Color = "black") -> list[str]:
        """Why a stone on a point is a foul or not: the verdict and, in five in a row only, the
        reasons."""
    def stones(self) -> list[tuple[str, _Color]]:
        """Lists the stones on the board with their colours."""
    def board(self) -> npt.NDArray[np.uint8]:
        """Returns the board, (height, width): 0 empty, 1 Black, 2 White; row 0 is the top one."""
    def to_sgf(self, black: str = "", white: str = "") -> str:
        """Writes the game in SGF, with the names of the players."""
    def to_psq(self) -> str:
        """Writes the game in the format of Piskvork; five in a row only."""
    def to_json(self, black: str = "", white: str = "") -> str:
        """Writes the game as a line of JSON, without the newline."""
    def copy(self) -> Game: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __len__(self) -> int:
        """Number of plies."""

@final
class RecordedGame:
    """A game from a file."""

    @property
    def game(self) -> Game:
        """A copy of the game after all moves."""
    @property
    def black(self) -> str:
        """Name of the player; may be empty."""
    @property
    def white(self) -> str: ...
    @property
    def result(self) -> _Color | Literal["draw"] | None:
        """Result according to the file."""
    @property
    def reason(self) -> str: ...
    @property
    def notes(self) -> list[str]:
        """Doubts about the game that were accepted."""

def read_games(
    path: _Path,
    *,
    game: str | None = None,
    size: _Size | None = None,
    lenient: bool = False,
    skip_bad: bool = False,
) -> list[RecordedGame]:
    """The games of a file in any form: SGF, psq, PGN, lists of moves, pos, RIF, JSON
    Lines and others.

    ``game`` and ``size`` are for files that omit them. A doubt about a game raises
    GorenError unless ``lenient``. A game that cannot be used raises GorenError; with
    ``skip_bad`` it is left out with a warning. Only main lines are read.
    """

def parse_games(
    text: str,
    *,
    game: str | None = None,
    size: _Size | None = None,
    lenient: bool = False,
    skip_bad: bool = False,
) -> list[RecordedGame]:
    """Like `read_games`, for a text."""

@final
class Variation:
    """A position of a RenLib library."""

    @property
    def moves(self) -> list[str]:
        """Moves to the position."""
    @property
    def comment(self) -> str: ...
    @property
    def text(self) -> str:
        """Text on the cell of the last move."""
    @property
    def marked(self) -> bool: ...
    @property
    def leaf(self) -> bool:
        """Whether no move follows."""

def read_renlib(path: _Path) -> list[Variation]:
    """All positions of a RenLib library (.lib, 15x15), the root first, each before those
    below it. Their moves are not checked for legality."""

@final
class Line:
    """A line of play."""

    @property
    def score(self) -> int:
        """Points for the side to move."""
    @property
    def text(self) -> str:
        """The score as text, such as ``"+31"`` or ``"+M9"``."""
    @property
    def mate(self) -> int | None:
        """Plies to a proven win, negative for a proven loss; else None."""
    @property
    def win_rate(self) -> float:
        """Expected result, 0 to 1, by the scale of the evaluation."""
    @property
    def depth(self) -> int: ...
    @property
    def seldepth(self) -> int:
        """Deepest ply reached."""
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def pv(self) -> list[str]:
        """The moves, turn by turn."""
    @property
    def rank(self) -> int:
        """0 for the best line."""

@final
class Analysis:
    """Result of a search."""

    @property
    def best(self) -> str | None:
        """The best move; None if the game is over."""
    @property
    def score(self) -> int | None: ...
    @property
    def lines(self) -> list[Line]:
        """Lines, best first."""
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...

@final
class Win:
    """A win that a solver found."""

    @property
    def best(self) -> str:
        """The first move."""
    @property
    def plies(self) -> int:
        """Length of the win in plies of both sides."""
    @property
    def line(self) -> list[str] | None:
        """Moves of both sides, with the goal ``"shortest-vcf"`` only."""

@final
class Engine:
    """The engine. It keeps what it has searched from one call to the next.

    ``memory`` is the limit of its table in MiB. Other Python threads run during a call, and
    may change the game meanwhile; Ctrl-C ends the call with KeyboardInterrupt. A call while
    another one runs raises RuntimeError; use several engines to search side by side.
    """

    def __new__(cls, *, memory: int = 256, threads: int = 1) -> Engine: ...
    def analyze(
        self,
        game: Game,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        lines: int = 1,
        exclude: Sequence[str] | None = None,
        on_line: Callable[[Line], object] | None = None,
    ) -> Analysis:
        """Searches a position until the first limit is met: seconds, nodes over all
        threads, depth in plies. At least one limit is needed.

        ``lines`` is the number of best moves. ``exclude`` lists legal points where no stone of
        this turn may be placed; a move must be left. ``on_line`` is called with each line as it
        is found; if it raises an exception, the search ends and raises it too. With one thread,
        a limit of nodes or depth and a new engine, the result is the same every time. Options
        of an opening other than placing a stone are not considered.
        """
    def solve(
        self,
        game: Game,
        goal: Literal["vcf", "shortest-vcf", "vct"] = "vct",
        *,
        time: float | None = None,
        nodes: int | None = None,
    ) -> Win | None:
        """A win of the side to move by fours (vcf), or by fours and threats (vct), in
        five in a row; None if none was found within the limits."""
    def evaluate(self, game: Game) -> int:
        """Returns the static evaluation for the side to move."""
    def load_weights(self, path: _Path) -> str:
        """Loads weights of ``goren tune``; returns the name of their game."""
    def clear(self) -> None:
        """Forgets all previous searches."""

@final
class SolvedValue:
    """The exact value of a position for the side to move."""

    @property
    def outcome(self) -> Literal["win", "loss", "draw"]: ...
    @property
    def plies(self) -> int | None:
        """Plies to the win or the loss."""
    @property
    def best(self) -> str | None:
        """A move that keeps the value."""
    @property
    def nodes(self) -> int: ...

def four_in_a_row_value(
    game: Game, *, memory: int = 256, time: float | None = None
) -> SolvedValue | None:
    """The exact value of a position of four-in-a-row; None if ``time`` (seconds) runs out.
    The empty 7x6 board takes a long time."""

@final
class TreeCheck:
    """The result of a check; true if the tree holds."""

    @property
    def holds(self) -> bool: ...
    @property
    def flaw(self) -> str | None:
        """The first flaw; None if there is none."""
    @property
    def replies(self) -> int:
        """Replies checked."""
    @property
    def moves(self) -> int:
        """Number of the attacker's moves that were needed, summed over the replies."""
    @property
    def visits(self) -> int:
        """Positions visited."""
    def __bool__(self) -> bool: ...

@final
class WinningTree:
    """A file of a winning tree, as a table or packed."""

    def __new__(cls, path: _Path) -> WinningTree: ...
    @property
    def game(self) -> str: ...
    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
    @property
    def attacker(self) -> _Color:
        """The side that wins, according to the file."""
    @property
    def to_move(self) -> _Color: ...
    @property
    def stones(self) -> list[tuple[str, _Color]]:
        """Stones of the position."""
    @property
    def replies(self) -> list[str]:
        """The defender's moves that a check covers, one of each symmetric set; empty if the
        attacker is to move."""
    def check(self, replies: Sequence[str] | None = None) -> TreeCheck:
        """Checks the tree, or some of its replies, by the rules alone. A whole game takes
        from minutes to more than an hour on one core. Ctrl-C ends it."""

@final
class TrainingGame:
    """A game of ``goren selfplay``."""

    @property
    def game(self) -> str: ...
    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
    @property
    def seed(self) -> int: ...
    @property
    def result(self) -> _Color | Literal["draw"] | None:
        """The winner or ``"draw"``; None if the game was broken off."""
    @property
    def played_out(self) -> bool:
        """Whether the game was played to its last stone; if not, a score proved the result, or
        no line was left to complete."""
    @property
    def opening(self) -> list[str]:
        """Stones before the search took over."""
    @property
    def played(self) -> list[str | None]:
        """Stones played in the searched positions; None where the game ended."""
    @property
    def best(self) -> list[str | None]:
        """Best moves in the searched positions; None if unknown."""
    @property
    def score(self) -> npt.NDArray[np.int32]:
        """Scores of the searched positions for the side to move."""
    def replay(self) -> Game:
        """Returns the game after its last whole turn."""

@final
class TrainingGames:
    """Iterator over the games of a file."""

    def __iter__(self) -> TrainingGames: ...
    def __next__(self) -> TrainingGame: ...
    @property
    def faults(self) -> list[str]:
        """Damage found in the file, with ``whole_games``."""

def read_training(path: _Path, *, whole_games: bool = False) -> TrainingGames:
    """The training games of a file, read on demand.

    A damaged file raises GorenError at the damage; with ``whole_games`` all its whole games
    are read, and `TrainingGames.faults` reports the damage.
    """

@final
class Positions:
    """Searched positions of training games as arrays, n positions each.

    The rows of a game are adjacent, in order. A cell is ``width * y + x``, with ``y``
    from the top; ``divmod(cell, width)`` is its index in `board`.
    """

    @property
    def board(self) -> npt.NDArray[np.uint8]:
        """(n, height, width): 0 empty, 1 Black, 2 White; row 0 is the top one."""
    @property
    def to_move(self) -> npt.NDArray[np.uint8]:
        """Side to move: 1 Black, 2 White."""
    @property
    def left(self) -> npt.NDArray[np.uint8]:
        """Stones that it still has to place in this turn."""
    @property
    def best(self) -> npt.NDArray[np.int16]:
        """Best move of the search, a cell; -1 if unknown."""
    @property
    def played(self) -> npt.NDArray[np.int16]:
        """Move that was played, a cell; -1 if the game ended here."""
    @property
    def score(self) -> npt.NDArray[np.int16]:
        """Score in points for the side to move; from 28500 on a proven win."""
    @property
    def result(self) -> npt.NDArray[np.int8]:
        """Result of the game for the side to move: 1 won, 0 drawn, -1 lost."""
    @property
    def ply(self) -> npt.NDArray[np.uint16]:
        """Stones placed before."""
    @property
    def game(self) -> npt.NDArray[np.uint32]:
        """Number of the game, from 0 in the order of the files."""
    def __len__(self) -> int: ...

@final
class PositionStream:
    """Iterator over the positions of files, batch by batch."""

    def __iter__(self) -> PositionStream: ...
    def __next__(self) -> Positions: ...
    @property
    def game(self) -> str | None:
        """The game; None before the first batch."""
    @property
    def games(self) -> int:
        """Number of games read so far."""
    @property
    def without_result(self) -> int:
        """Games left out because they were broken off."""
    @property
    def sampled(self) -> int:
        """Sampled positions left out because they have no result."""
    @property
    def faults(self) -> list[str]:
        """Damage found in the files, with ``whole_games``."""

def read_positions(
    paths: _Path | Sequence[_Path], *, batch: int = 65536, whole_games: bool = False
) -> PositionStream:
    """The searched positions of files of training games, read batch by batch to save memory.

    A batch has whole games with at least ``batch`` positions, except the last. All files
    must be of the same game and board size. Games that were broken off are left out. A
    damaged file raises GorenError, which ends the reading after the games before the damage;
    with ``whole_games`` all its whole games are read, and `PositionStream.faults` reports
    the damage.
    """

def load_positions(
    paths: _Path | Sequence[_Path], *, whole_games: bool = False
) -> Positions:
    """All searched positions of the files at once. Warnings report what is left out and, with
    ``whole_games``, damage. Ctrl-C ends it."""

__all__ = [
    "Analysis",
    "Engine",
    "Foul",
    "Game",
    "GorenError",
    "IllegalMove",
    "Line",
    "Outcome",
    "PositionStream",
    "Positions",
    "RecordedGame",
    "SolvedValue",
    "TrainingGame",
    "TrainingGames",
    "TreeCheck",
    "Variation",
    "Win",
    "WinningTree",
    "__version__",
    "four_in_a_row_value",
    "games",
    "load_positions",
    "parse_games",
    "read_games",
    "read_positions",
    "read_renlib",
    "read_training",
]
