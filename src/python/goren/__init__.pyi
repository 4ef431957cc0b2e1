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
    """The names of all games. Options are added with ``+``, as in ``pente+keryo``."""

@final
class Outcome:
    """How a game ended."""

    @property
    def winner(self) -> _Color | None:
        """The colour that won; None for a draw."""
    @property
    def reason(self) -> str:
        """Why, in words."""
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
        """Such as ``["double three"]``."""
    @property
    def why(self) -> list[str]:
        """The lines and points that it hangs on, a line each, indented by depth."""

@final
class Game:
    """A game in progress by the rules of any game of the family.

    ``size`` is one side or ``(columns, rows)``; by default the usual board of the game.
    ``moves`` is a text such as ``"h8i9j8"`` (with an opening such as ``"swap-2"``: plies
    with blanks between) or a list of plies. Invalid arguments raise GorenError; moves
    that cannot be read or played IllegalMove.
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
        """A position whose moves are not known.

        ``to_move`` is by default Black, or White if Black has more stones; ``left`` the
        number of stones it places in this turn, by default a whole turn.
        """
    @staticmethod
    def from_json(text: str) -> Game:
        """The game of a line that `to_json` or ``goren match`` has written."""
    @property
    def game(self) -> str:
        """The game with its options."""
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def opening(self) -> str: ...
    @property
    def to_move(self) -> _Color:
        """The colour whose stone or answer is due."""
    @property
    def plies(self) -> list[str]:
        """The plies so far; stones of one ply have commas between them."""
    @property
    def asks(self) -> str | None:
        """What an opening asks of the seat to act, in words; None if a plain turn."""
    @property
    def result(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
    def play(self, ply: str) -> None:
        """Plays a ply: ``"h8"``, ``"k10,k9"``, ``"pass"``, ``"swap"``; nothing changes
        if it is illegal."""
    def undo(self, plies: int = 1) -> None:
        """Takes back plies."""
    def legal_moves(self) -> list[str]:
        """Points where a stone may be placed now, ``"swap"`` and ``"pass"`` where they
        are allowed. Where a turn is two stones: points for each of them. Empty where an
        opening asks for three stones or more at once; see `asks`."""
    def forbidden(self, color: _Color | None = None) -> list[Foul]:
        """The forbidden points, of one colour or of both."""
    def explain(self, point: str, color: _Color = "black") -> list[str]:
        """Why a stone on a point is a foul, or is none: the verdict, then the reasons, which are
        told in five in a row alone."""
    def stones(self) -> list[tuple[str, _Color]]:
        """The stones on the board with their colours."""
    def board(self) -> npt.NDArray[np.uint8]:
        """The board, (height, width): 0 empty, 1 Black, 2 White; row 0 is the top one."""
    def to_sgf(self, black: str = "", white: str = "") -> str:
        """The game in SGF, with the names of the players."""
    def to_psq(self) -> str:
        """The game as Piskvork has it; five in a row only."""
    def to_json(self, black: str = "", white: str = "") -> str:
        """The game as a line of JSON, without its newline."""
    def copy(self) -> Game: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __len__(self) -> int:
        """Number of plies."""

@final
class RecordedGame:
    """A game of a file."""

    @property
    def game(self) -> Game:
        """A copy of the game after all moves."""
    @property
    def black(self) -> str:
        """The name of the player; may be empty."""
    @property
    def white(self) -> str: ...
    @property
    def result(self) -> _Color | Literal["draw"] | None:
        """What the file says of the result."""
    @property
    def reason(self) -> str: ...
    @property
    def notes(self) -> list[str]:
        """What was in doubt and was taken all the same."""

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

    ``game`` and ``size`` say what the file does not. A doubt about a game raises
    GorenError unless ``lenient``. A game that cannot be used raises GorenError; with
    ``skip_bad`` it is left out with a warning. Of variations the main line is read.
    """

def parse_games(
    text: str,
    *,
    game: str | None = None,
    size: _Size | None = None,
    lenient: bool = False,
    skip_bad: bool = False,
) -> list[RecordedGame]:
    """The same for a text."""

@final
class Variation:
    """A position of a RenLib library."""

    @property
    def moves(self) -> list[str]:
        """The moves to it."""
    @property
    def comment(self) -> str: ...
    @property
    def text(self) -> str:
        """The text on the cell of the newest move."""
    @property
    def marked(self) -> bool: ...
    @property
    def leaf(self) -> bool:
        """Whether nothing follows."""

def read_renlib(path: _Path) -> list[Variation]:
    """All positions of a RenLib library (.lib, 15x15), the root first, each before those
    below it. Whether the moves are legal is not judged."""

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
        """Plies to a proven win, negative to a proven loss; else None."""
    @property
    def win_rate(self) -> float:
        """Expected share of the game, 0 to 1, by the scale of the evaluation."""
    @property
    def depth(self) -> int: ...
    @property
    def seldepth(self) -> int:
        """The deepest ply that was reached."""
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
    """What a search found."""

    @property
    def best(self) -> str | None:
        """The best move; None if the game is over."""
    @property
    def score(self) -> int | None: ...
    @property
    def lines(self) -> list[Line]:
        """The best first."""
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
        """Length of the win, both sides counted."""
    @property
    def line(self) -> list[str] | None:
        """The moves of both sides, from the goal ``"shortest-vcf"``."""

@final
class Engine:
    """The engine. It keeps what it has searched from one call to the next.

    ``memory`` is the limit of its table in MiB. During a call other threads of Python go
    on, and may play on in the game; Ctrl-C ends it by KeyboardInterrupt. A call while
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
        """Searches a position, until the first limit is met: seconds, nodes over all
        threads, depth in plies. At least one limit is needed.

        ``lines`` is the number of best moves. ``exclude`` has legal points that no stone of
        this turn may take; a move must be left. ``on_line`` is called with each line as it is
        found; an exception of it ends the search and is raised. One thread with a limit of
        nodes or depth on a new engine finds the same every time. What an opening asks besides
        a stone is not weighed.
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
        five in a row. None: none was found within the limits."""
    def evaluate(self, game: Game) -> int:
        """Static evaluation for the side to move, without search."""
    def load_weights(self, path: _Path) -> str:
        """Uses weights of ``goren tune`` for their games; their name."""
    def clear(self) -> None:
        """Forgets what was searched."""

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
    """The exact value of a position of four-in-a-row; None if ``time`` (seconds) is up.
    The empty board of 7x6 takes long."""

@final
class TreeCheck:
    """What a check came to; true if the tree holds."""

    @property
    def holds(self) -> bool: ...
    @property
    def flaw(self) -> str | None:
        """The first flaw; None if there is none."""
    @property
    def replies(self) -> int:
        """Replies that were gone through."""
    @property
    def moves(self) -> int:
        """Moves of the attacker that were needed, summed over the replies."""
    @property
    def visits(self) -> int:
        """Positions looked at."""
    def __bool__(self) -> bool: ...

@final
class WinningTree:
    """A file of a winning tree, a table or packed."""

    def __new__(cls, path: _Path) -> WinningTree: ...
    @property
    def game(self) -> str: ...
    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
    @property
    def attacker(self) -> _Color:
        """Who is said to win."""
    @property
    def to_move(self) -> _Color: ...
    @property
    def stones(self) -> list[tuple[str, _Color]]:
        """The stones of the position."""
    @property
    def replies(self) -> list[str]:
        """The defender's moves that a check goes through, without images of others; empty
        if the attacker is to move."""
    def check(self, replies: Sequence[str] | None = None) -> TreeCheck:
        """Checks the tree by the rules alone: all of it, or some replies. A whole game
        takes minutes to more than an hour on one core. Ctrl-C ends it."""

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
        """Who won; None if it was broken off."""
    @property
    def played_out(self) -> bool:
        """Whether it was played to its last stone; else a score proved the result, or no line
        was left to complete."""
    @property
    def opening(self) -> list[str]:
        """Stones before the search took over."""
    @property
    def played(self) -> list[str | None]:
        """Stones played in the searched positions; None where the game ended."""
    @property
    def best(self) -> list[str | None]:
        """Best moves there; None if unknown."""
    @property
    def score(self) -> npt.NDArray[np.int32]:
        """Scores there for the side to move."""
    def replay(self) -> Game:
        """The game after its last whole turn."""

@final
class TrainingGames:
    """The games of a file, one by one."""

    def __iter__(self) -> TrainingGames: ...
    def __next__(self) -> TrainingGame: ...
    @property
    def faults(self) -> list[str]:
        """What was wrong with the file, where whole games were enough."""

def read_training(path: _Path, *, whole_games: bool = False) -> TrainingGames:
    """The training games of a file, read as they are asked for.

    A damaged file raises GorenError where the damage is; with ``whole_games`` its whole
    games are read to the end, and `TrainingGames.faults` tells the damage.
    """

@final
class Positions:
    """Searched positions of training games as arrays, n positions each.

    The rows of a game stand together, in order. A cell is ``width * y + x``, with ``y``
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
        """Stones that it has still to place in this turn."""
    @property
    def best(self) -> npt.NDArray[np.int16]:
        """Best move of the search, a cell; -1 if unknown."""
    @property
    def played(self) -> npt.NDArray[np.int16]:
        """Move that was played, a cell; -1 where the game ended here."""
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
    """The positions of files, batch by batch."""

    def __iter__(self) -> PositionStream: ...
    def __next__(self) -> Positions: ...
    @property
    def game(self) -> str | None:
        """The game, once a batch was read."""
    @property
    def games(self) -> int:
        """Games read so far."""
    @property
    def without_result(self) -> int:
        """Games left out, as they were broken off."""
    @property
    def sampled(self) -> int:
        """Sampled positions left out, as they have no result."""
    @property
    def faults(self) -> list[str]:
        """What was wrong with the files, where whole games were enough."""

def read_positions(
    paths: _Path | Sequence[_Path], *, batch: int = 65536, whole_games: bool = False
) -> PositionStream:
    """The searched positions of files of training games, in little memory.

    A batch has whole games, of at least ``batch`` positions but for the last. All games
    must be of one game and board size. Games that were broken off are left out. A damaged
    file raises GorenError, which ends the reading after the games before the damage; with
    ``whole_games`` it is read as far as games are whole, and `PositionStream.faults` tells
    the damage.
    """

def load_positions(
    paths: _Path | Sequence[_Path], *, whole_games: bool = False
) -> Positions:
    """All of them at once. What is left out, damage with ``whole_games`` too, is told by
    warnings. Ctrl-C ends it."""

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
