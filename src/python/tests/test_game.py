import copy
import pickle

import numpy as np
import pytest

import goren


def test_a_game_is_played_and_taken_back():
    game = goren.Game("gomoku", size=15)
    assert (game.game, game.width, game.height, game.opening) == ("gomoku", 15, 15, "free")
    for ply in ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4"]:
        assert game.result is None
        game.play(ply)
    assert (len(game), game.to_move) == (8, "black")
    game.play("h12")
    result = game.result
    assert (result.winner, result.lines) == ("black", [["h12", "h11", "h10", "h9", "h8"]])
    assert game.legal_moves() == []
    with pytest.raises(goren.IllegalMove):
        game.play("a5")
    game.undo(2)
    assert game.plies == ["h8", "a1", "h9", "a2", "h10", "a3", "h11"]
    assert game.result is None and "h12" in game.legal_moves()
    with pytest.raises(goren.IllegalMove, match="only 7 plies"):
        game.undo(8)


def test_the_board_is_an_array():
    game = goren.Game("freestyle", size=(7, 5), moves="a1g5")
    board = game.board()
    assert (board.shape, board.dtype) == ((5, 7), np.uint8)
    assert board[4, 0] == 1 and board[0, 6] == 2 and board.sum() == 3
    assert game.stones() == [("g5", "white"), ("a1", "black")]
    assert str(game).splitlines()[0] == " 5 . . . . . . O"
    assert len(game.legal_moves()) == 33


def test_every_game_has_a_first_move():
    assert {"freestyle", "renju", "pente", "connect6", "four-in-a-row"} <= set(goren.games())
    for name in goren.games():
        game = goren.Game(name)
        first = game.legal_moves()[0]
        game.play(first)
        assert len(game) == 1


def test_forbidden_points_have_reasons():
    game = goren.Game("renju", moves="h9a1i9o1h7a15g8o15")
    found = {foul.point: foul for foul in game.forbidden("black")}
    assert game.forbidden("white") == []
    assert set(found) == {"f9"}
    foul = found["f9"]
    assert (foul.color, foul.kinds) == ("black", ["double three"])
    assert foul.why[0].startswith("row f9 h9 i9 is a three")
    assert game.explain("f9") == ["double three", *foul.why]
    assert game.explain("c3") == ["no foul"]
    with pytest.raises(goren.GorenError, match="no fouls"):
        goren.Game("freestyle").explain("h8")
    # Beyond five in a row the verdict has no reasons.
    pente = goren.Game("pente+double-three", opening="free", moves="e8a1f8c1g6e1g7g1")
    assert pente.explain("g8") == ["double three"]
    assert pente.explain("a5") == ["no foul"]
    with pytest.raises(goren.IllegalMove, match="occupied"):
        game.explain("a1")


def test_two_stones_and_captures_and_falling_pieces():
    game = goren.Game("connect6", moves="j10 k10,k9")
    assert game.plies == ["j10", "k9,k10"]
    assert "a1" in game.legal_moves() and "k9" not in game.legal_moves()
    with pytest.raises(goren.IllegalMove, match="missing"):
        game.play("a1")
    pente = goren.Game("pente", moves="k10 k11 a1 k12 k13")
    assert ("k11", "white") not in pente.stones()
    four = goren.Game("four-in-a-row", moves=["d", "d"])
    columns = sorted(point[0] for point in four.legal_moves())
    assert four.plies == ["d1", "d2"] and len(set(columns)) == len(columns)
    assert "d3" in four.legal_moves() and "a1" in four.legal_moves()


def test_openings_ask_and_swap():
    game = goren.Game("gomoku", opening="swap-2")
    assert game.asks and game.legal_moves() == []
    game.play("h8,i9,j8")
    assert "swap" in game.legal_moves()
    game.play("swap")
    assert game.plies == ["h8,i9,j8", "pass"] and game.to_move == "white"
    again = goren.Game("gomoku", opening="swap-2", moves="h8,i9,j8 swap")
    assert again.plies == game.plies


def test_written_games_are_read_back():
    game = goren.Game("renju", moves="h8h9i9g8")
    for text in [game.to_sgf("A", "B"), game.to_json("A", "B")]:
        [recorded] = goren.parse_games(text)
        assert recorded.game.plies == game.plies
        assert (recorded.black, recorded.white) == ("A", "B")
    [recorded] = goren.parse_games(game.to_psq(), lenient=True)
    assert recorded.game.plies == game.plies
    assert goren.Game.from_json(game.to_json()).plies == game.plies
    for same in [pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game), game.copy()]:
        same.play("a1")
        assert same.plies == [*game.plies, "a1"]
    with pytest.raises(goren.GorenError):
        goren.Game("pente", moves="k10").to_psq()


def test_a_name_of_a_game_and_board_sets_the_size():
    games = [goren.Game("connect4"), goren.Game("connect4", size=8), goren.Game("Ninuki-Renju")]
    assert [(game.width, game.height) for game in games] == [(7, 6), (8, 8), (15, 15)]


def test_positions_without_moves():
    game = goren.Game.from_stones("renju", black=["h8", "h9"], white=["a1"])
    assert (game.to_move, len(game), len(game.stones())) == ("white", 0, 3)
    game.play("a2")
    assert game.plies == ["a2"]
    with pytest.raises(goren.GorenError):
        game.to_sgf()
    with pytest.raises(goren.GorenError):
        goren.Game.from_stones(black=["h8"], white=["h8"])
    with pytest.raises(goren.GorenError):
        goren.Game.from_stones(black=["h8"], left=2)


@pytest.mark.parametrize(
    "make",
    [
        lambda: goren.Game("chess"),
        lambda: goren.Game("renju", size=4),
        lambda: goren.Game("renju", size=27),
        lambda: goren.Game("renju", size=2**40),
        lambda: goren.Game("renju", opening="nothing"),
        lambda: goren.Game("connect6", opening="swap-2"),
        lambda: goren.Game(moves="h8h8"),
        lambda: goren.Game(moves="z99"),
        lambda: goren.Game(moves=["h8", "é"]),
        lambda: goren.Game().play(""),
        lambda: goren.Game().play("swap"),
        lambda: goren.Game().play("h8\0"),
        lambda: goren.Game().explain("99"),
        lambda: goren.Game.from_json("{}"),
        lambda: goren.Game().forbidden("red"),
    ],
)
def test_bad_input_is_an_exception(make):
    with pytest.raises(goren.GorenError) as error:
        make()
    assert str(error.value) and isinstance(error.value, ValueError)


@pytest.mark.parametrize("number", [-1, 2**70])
@pytest.mark.parametrize(
    "call",
    [
        lambda n: goren.Game(size=n),
        lambda n: goren.Game(size=(n, 15)),
        lambda n: goren.Game(size=(15, n)),
        lambda n: goren.Game.from_stones(size=n),
        lambda n: goren.Game.from_stones(left=n),
        lambda n: goren.Game().undo(n),
        lambda n: goren.parse_games("h8", size=n),
        lambda n: goren.read_positions("none.games", batch=n),
        lambda n: goren.Engine(memory=n),
        lambda n: goren.Engine(threads=n),
        lambda n: goren.Engine(memory=1).analyze(goren.Game(), nodes=n),
        lambda n: goren.Engine(memory=1).analyze(goren.Game(), depth=n),
        lambda n: goren.Engine(memory=1).analyze(goren.Game(), nodes=9, lines=n),
        lambda n: goren.Engine(memory=1).solve(goren.Game(), nodes=n),
        lambda n: goren.four_in_a_row_value(goren.Game("four-in-a-row"), memory=n),
    ],
)
def test_numbers_out_of_range_are_bad_input(call, number):
    with pytest.raises(goren.GorenError):
        call(number)
