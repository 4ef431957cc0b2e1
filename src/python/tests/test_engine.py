import signal
import threading
import time

import pytest

import goren


def test_limits_hold_and_lines_have_scores(engine):
    game = goren.Game("renju", moves="h8h9i9g8")
    found = engine.analyze(game, nodes=20_000, lines=3)
    assert found.best == found.lines[0].pv[0] and found.best in game.legal_moves()
    assert [line.rank for line in found.lines] == [0, 1, 2]
    scores = [line.score for line in found.lines]
    assert scores == sorted(scores, reverse=True) and found.score == scores[0]
    assert len({line.pv[0] for line in found.lines}) == 3
    assert found.nodes <= 20_000 and found.lines[0].depth >= 3
    assert 0 < found.lines[0].win_rate < 1
    assert engine.analyze(game, depth=2).lines[0].depth <= 2
    started = time.perf_counter()
    engine.analyze(game, time=0.2)
    assert time.perf_counter() - started < 10


def test_lines_are_limited_to_the_legal_moves(engine):
    game = goren.Game("four-in-a-row")
    found = engine.analyze(game, nodes=5_000, lines=10**12)
    assert 1 <= len(found.lines) <= len(game.legal_moves())


def test_one_thread_finds_the_same_every_time():
    game = goren.Game("freestyle", moves="h8i9g7")
    found = [goren.Engine(memory=16).analyze(game, nodes=5_000) for _ in range(2)]
    assert found[0].lines[0].pv == found[1].lines[0].pv
    assert found[0].score == found[1].score


def test_a_proven_win_is_reported(engine):
    game = goren.Game(moves="h8a1i9b1h9a15j10o1")
    found = engine.analyze(game, nodes=50_000)
    assert found.lines[0].mate and found.lines[0].mate > 0 and found.lines[0].win_rate == 1
    win = engine.solve(game, "vct", nodes=100_000)
    assert win.plies >= 1 and win.best in game.legal_moves()


def test_fours_win(engine):
    game = goren.Game.from_stones(
        black=["f8", "g8", "h8", "i9", "i10", "i11"],
        white=["a15", "c15", "e15", "a1", "c1", "e1"],
    )
    win = engine.solve(game, "vcf", nodes=10_000)
    short = engine.solve(game, "shortest-vcf", nodes=10_000)
    assert win and len(short.line) == short.plies <= win.plies and short.line[0] == short.best
    assert engine.solve(goren.Game(moves="h8"), "vcf", nodes=1_000) is None
    with pytest.raises(goren.GorenError, match="solver"):
        engine.solve(goren.Game("connect6"), "vcf", nodes=1_000)


def test_other_games_are_searched(engine):
    for name in ["pente", "connect6", "four-in-a-row", "irensei", "torus-four"]:
        game = goren.Game(name)
        game.play(game.legal_moves()[0])
        found = engine.analyze(game, nodes=2_000, lines=2)
        game.play(found.best)
        assert isinstance(engine.evaluate(game), int)


def test_four_in_a_row_is_solved():
    game = goren.Game("four-in-a-row", size=(6, 5), moves=["c", "c", "d", "d"])
    value = goren.four_in_a_row_value(game, memory=16)
    assert value.outcome == "win" and value.best in game.legal_moves() and value.plies
    with pytest.raises(goren.GorenError):
        goren.four_in_a_row_value(goren.Game("renju"))
    assert goren.four_in_a_row_value(goren.Game("four-in-a-row", size=(9, 7)), time=0.05) is None


def test_excluded_moves_and_finished_games(engine):
    game = goren.Game(moves="h8i9")
    best = engine.analyze(game, nodes=2_000).best
    assert engine.analyze(game, nodes=2_000, exclude=[best]).best != best
    over = goren.Game(moves="h8a1h9a2h10a3h11a4h12")
    found = engine.analyze(over, nodes=100)
    assert (found.best, found.lines, found.score) == (None, [], None)


def test_an_excluded_point_is_no_stone_of_the_turn(engine):
    # k14 and k15 make six; White holds k9.
    game = goren.Game("connect6", moves="j10 a1,k9 k11,k12 a3,c9 k13,r1 s1,s3")
    for lines in [1, 3]:
        found = engine.analyze(game, nodes=20_000, lines=lines, exclude=["k14"])
        assert found.best and "k14" not in found.best.split(",")
    game = goren.Game("connect6", moves="j10")
    for point in engine.analyze(game, nodes=2_000).best.split(","):
        best = engine.analyze(game, nodes=2_000, exclude=[point]).best
        assert best and point not in best.split(",")


def test_points_that_cannot_be_excluded_are_bad_input(engine):
    with pytest.raises(goren.IllegalMove, match="h8 is not a legal move"):
        engine.analyze(goren.Game(moves="h8i9"), nodes=100, exclude=["h8"])
    game = goren.Game("four-in-a-row")
    with pytest.raises(goren.GorenError, match="no move is left"):
        engine.analyze(game, nodes=100, exclude=game.legal_moves())


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"nodes": 0},
        {"depth": 0},
        {"time": 0},
        {"time": -1},
        {"time": float("nan")},
        {"time": 1, "lines": 0},
        {"time": 1, "exclude": ["z1"]},
    ],
)
def test_bad_limits_are_exceptions(engine, limits):
    with pytest.raises(goren.GorenError):
        engine.analyze(goren.Game(), **limits)


def test_other_python_threads_run_during_a_search(engine):
    count, done = 0, threading.Event()

    def counting():
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counting)
    thread.start()
    before = count
    engine.analyze(goren.Game(moves="h8"), time=1.0)
    during = count - before
    done.set()
    thread.join()
    # One step may come before or after the search; a busy machine gives few.
    assert during >= 3


def test_an_engine_runs_one_search_at_a_time(engine):
    errors = []
    searching = threading.Event()

    def search():
        engine.analyze(goren.Game(), time=1.0, on_line=lambda line: searching.set())

    thread = threading.Thread(target=search)
    thread.start()
    assert searching.wait(5)
    try:
        engine.analyze(goren.Game(), nodes=10)
    except RuntimeError as error:
        errors.append(error)
    thread.join()
    assert len(errors) == 1


def test_on_line_gets_the_lines_and_its_exceptions_end_the_search(engine):
    lines = []
    engine.analyze(goren.Game(moves="h8"), nodes=5_000, on_line=lines.append)
    assert lines and all(isinstance(line, goren.Line) for line in lines)

    def enough(line):
        raise KeyError("enough")

    started = time.perf_counter()
    with pytest.raises(KeyError, match="enough"):
        engine.analyze(goren.Game(moves="h8"), time=30, on_line=enough)
    assert time.perf_counter() - started < 5


def test_a_game_may_be_changed_during_its_search(engine):
    game = goren.Game(moves="h8")

    def play(line):
        if len(game) == 1:
            game.play("a1")

    found = engine.analyze(game, nodes=5_000, on_line=play)
    assert found.best and game.plies == ["h8", "a1"]


@pytest.fixture
def ctrl_c():
    """Makes Ctrl-C raise: Python ignores it if a shell started Python in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="no signals")
@pytest.mark.parametrize("work", ["analyze", "solve", "four", "tree"])
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_the_work(engine, work, root):
    threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()
    tree = goren.WinningTree(root / "src/proof/trees/renju-15x15.packed") if work == "tree" else None
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        if work == "analyze":
            engine.analyze(goren.Game(), depth=100)
        elif work == "solve":
            while True:
                engine.solve(goren.Game(moves="h8a1i9b1"), "vct", time=60)
        elif work == "four":
            goren.four_in_a_row_value(goren.Game("four-in-a-row", size=(9, 7)), memory=16)
        else:
            tree.check()
    assert time.perf_counter() - started < 20
    assert engine.analyze(goren.Game(), nodes=500).best


@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="no signals")
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_search_whose_lines_come_quickly(engine):
    # A C function, which checks no signals, and so slow that the next line is always waiting.
    listener = ([0] * 2_000_000).__contains__
    threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        engine.analyze(goren.Game(moves="h8i9g7"), depth=100, lines=200, on_line=listener)
    assert time.perf_counter() - started < 5


@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="no signals")
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_the_reading_of_a_file():
    text = (goren.Game(moves="h8i9j10k11a1b1c1d1").to_json() + "\n") * 20_000
    started = time.perf_counter()
    assert len(goren.parse_games(text)) == 20_000
    whole = time.perf_counter() - started
    threading.Timer(whole / 8, lambda: signal.raise_signal(signal.SIGINT)).start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        goren.parse_games(text)
    assert time.perf_counter() - started < whole * 0.7


def test_weights_are_loaded_from_a_file(engine, tmp_path, root):
    game = goren.Game("caro", moves="h8i9")
    before = engine.evaluate(game)
    assert engine.load_weights(root / "src/engine/game/five/caro.bin") == "caro"
    assert engine.evaluate(game) == before
    bad = tmp_path / "bad.bin"
    bad.write_bytes(b"GorenWts and nothing else")
    with pytest.raises(goren.GorenError, match="bad.bin"):
        engine.load_weights(bad)
    with pytest.raises(FileNotFoundError):
        engine.load_weights(tmp_path / "none.bin")
