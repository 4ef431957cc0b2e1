"""Gomoku, Renju and the n-in-a-row family.

Rules and games (`Game`), files of games (`read_games`, `read_renlib`), analysis and
solvers (`Engine`, `four_in_a_row_value`), winning trees (`WinningTree`), and training
games as NumPy arrays (`read_training`, `read_positions`).

A point is a letter for the column from the left and the number of the row from the
bottom, such as ``"h8"``. Bad input raises `GorenError`, a `ValueError`.
"""

from ._goren import VERSION as __version__
from ._goren import (
    Analysis,
    Engine,
    Foul,
    Game,
    GorenError,
    IllegalMove,
    Line,
    Outcome,
    Positions,
    PositionStream,
    RecordedGame,
    SolvedValue,
    TrainingGame,
    TrainingGames,
    TreeCheck,
    Variation,
    Win,
    WinningTree,
    four_in_a_row_value,
    games,
    load_positions,
    parse_games,
    read_games,
    read_positions,
    read_renlib,
    read_training,
)

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
