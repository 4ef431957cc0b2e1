import json
import pathlib
import struct
import subprocess
import zlib

import numpy as np
import pytest

import goren

ARRAYS = {
    "board": (np.uint8, 3),
    "to_move": (np.uint8, 1),
    "left": (np.uint8, 1),
    "best": (np.int16, 1),
    "played": (np.int16, 1),
    "score": (np.int16, 1),
    "result": (np.int8, 1),
    "ply": (np.uint16, 1),
    "game": (np.uint32, 1),
}


def frame(opening, plies, result, width=15, height=15, rule=0, seed=1):
    """Packs a game, by the description of the format; cells are width * y + x < 64."""
    body = bytes([rule, width, height, result]) + struct.pack("<Q", seed)
    body += bytes([len(opening), *opening, len(plies)])
    for played, best, score in plies:
        body += bytes([2 * played + (best != played)])
        body += bytes([best] if best != played else [])
        body += bytes([2 * score if score >= 0 else -2 * score - 1])
    # An LZ4 block of literals only.
    extra = len(body) - 15
    token = bytes([0xF0]) + bytes([255] * (extra // 255) + [extra % 255])
    packed = struct.pack("<I", len(body)) + token + body
    return b"GRN1" + struct.pack("<II", len(packed), zlib.crc32(packed)) + packed


GAME = frame([0, 1], [(2, 3, -5), (4, 4, 60)], result=2)


def test_positions_are_typed_arrays(tmp_path):
    path = tmp_path / "two.games"
    path.write_bytes(GAME + GAME)
    positions = goren.load_positions(path)
    assert len(positions) == 4
    for name, (dtype, dimensions) in ARRAYS.items():
        array = getattr(positions, name)
        assert (array.dtype, array.ndim, len(array)) == (dtype, dimensions, 4), name
    assert positions.board.shape == (4, 15, 15)
    assert positions.board[1, 0, :4].tolist() == [1, 2, 1, 0]
    assert positions.to_move.tolist() == [1, 2, 1, 2]
    assert positions.best.tolist() == [3, 4, 3, 4] and positions.played.tolist() == [2, 4, 2, 4]
    assert positions.score.tolist() == [-5, 60, -5, 60]
    assert positions.result.tolist() == [-1, 1, -1, 1]
    assert positions.ply.tolist() == [2, 3, 2, 3] and positions.game.tolist() == [0, 0, 1, 1]


def test_batches_have_whole_games(tmp_path):
    path = tmp_path / "many.games"
    path.write_bytes(GAME * 10)
    stream = goren.read_positions([path, path], batch=5)
    assert [len(batch) for batch in stream] == [6, 6, 6, 6, 6, 6, 4]
    assert (stream.games, stream.game) == (20, "freestyle")
    assert (stream.without_result, stream.sampled) == (0, 0)


def test_games_are_read_one_by_one(tmp_path):
    path = tmp_path / "one.games"
    path.write_bytes(GAME)
    [game] = goren.read_training(path)
    assert (game.game, game.size, game.seed, game.result) == ("freestyle", (15, 15), 1, "white")
    assert game.opening == ["a15", "b15"] and game.played == ["c15", "e15"]
    assert game.best == ["d15", "e15"] and game.score.tolist() == [-5, 60]
    assert game.replay().plies == ["a15", "b15", "c15", "e15"]


def test_damage_is_reported(tmp_path):
    path = tmp_path / "cut.games"
    path.write_bytes((GAME + GAME)[:-1])
    with pytest.raises(goren.GorenError, match="cut.games: game 2 at byte"):
        goren.load_positions(path)
    with pytest.warns(UserWarning, match="cut.games: game 2 at byte"):
        assert len(goren.load_positions(path, whole_games=True)) == 2
    # The games before the damage come first, and nothing comes after it.
    stream = goren.read_positions([path, path])
    assert len(next(stream)) == 2
    with pytest.raises(goren.GorenError, match="cut.games: game 2 at byte"):
        next(stream)
    assert next(stream, None) is None and stream.games == 1
    stream = goren.read_positions(path, whole_games=True)
    assert len(list(stream)) == 1 and len(stream.faults) == 1
    games = goren.read_training(path, whole_games=True)
    assert len(list(games)) == 1 and "cut short" in games.faults[0]
    with pytest.raises(goren.GorenError, match="cut short"):
        list(goren.read_training(path))
    # A stone on an occupied point.
    path.write_bytes(frame([0, 1], [(1, 1, 0)], result=0))
    with pytest.raises(goren.GorenError, match="occupied"):
        goren.load_positions(path)
    for content in [b"", b"nothing", b"{}\n"]:
        path.write_bytes(content)
        with pytest.raises(goren.GorenError):
            goren.load_positions(path)
    path.write_bytes(b"nothing")
    with pytest.raises(goren.GorenError, match="no training game begins here"):
        goren.load_positions(path, whole_games=True)
    with pytest.raises(goren.GorenError, match="no training game begins here"):
        list(goren.read_training(path, whole_games=True))
    for whole_games in [False, True]:
        with pytest.raises(FileNotFoundError):
            goren.load_positions(tmp_path / "none.games", whole_games=whole_games)
    with pytest.raises(goren.GorenError):
        goren.read_positions(path, batch=0)


def test_games_of_another_kind_are_not_mixed(tmp_path):
    path = tmp_path / "mixed.games"
    path.write_bytes(GAME + frame([], [(0, 0, 1)], result=0, width=14))
    with pytest.raises(goren.GorenError, match="14x15"):
        goren.load_positions(path, whole_games=True)


def test_the_tool_exports_the_same_arrays(tool, tmp_path):
    for game in ["caro", "connect6"]:
        path, out = tmp_path / f"{game}.games", tmp_path / f"{game}.npz"
        play = [tool, "selfplay", "--game", game, "--games", "3", "--nodes", "60", "--out", path]
        subprocess.run(play, check=True, capture_output=True)
        subprocess.run([tool, "data", "export", path, "--out", out], check=True, capture_output=True)
        positions = goren.load_positions(path)
        with np.load(out) as archive:
            assert set(archive.files) == {*ARRAYS, "info"}
            for name, (dtype, _) in ARRAYS.items():
                assert archive[name].dtype == dtype
                np.testing.assert_array_equal(archive[name], getattr(positions, name))
            info = json.loads(archive["info"][()])
        assert info["game"] == game and info["positions"] == len(positions)
        # The rows match the replayed games.
        games = list(goren.read_training(path))
        assert len(games) == info["games"]
        first = games[0].replay()
        last = np.flatnonzero(positions.game == 0)[-1]
        if first.game == "caro":
            assert positions.ply[last] == len(first) - 1
        assert pathlib.Path(out).stat().st_size > 0
