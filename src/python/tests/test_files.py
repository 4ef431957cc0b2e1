import pytest

import goren


def test_files_of_games_are_read(root):
    for name, game in [("renju", "renju"), ("pente", "pente"), ("connect6", "connect6")]:
        [recorded, *_] = goren.read_games(root / f"tests/samples/{name}.sgf")
        assert recorded.game.game == game and len(recorded.game) > 5
        assert recorded.result in ("black", "white", "draw", None)


def test_a_bad_game_does_not_hide_the_others(tmp_path):
    path = tmp_path / "two.txt"
    good = goren.Game(moves="h8i9").to_json()
    path.write_text(good + "\n" + good.replace("i9", "h8") + "\n" + good + "\n")
    with pytest.raises(goren.GorenError, match="game 2"):
        goren.read_games(path)
    with pytest.warns(UserWarning, match="game 2"):
        games = goren.read_games(path, skip_bad=True)
    assert len(games) == 2


def test_a_file_without_games_is_an_exception(tmp_path, root):
    with pytest.raises(FileNotFoundError):
        goren.read_games(tmp_path / "none.sgf")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        goren.read_games(tmp_path)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    with pytest.raises(goren.GorenError, match="picture"):
        goren.read_games(binary)
    for text in ["what?", "(;GM[4]SZ[15];B[zz])"]:
        with pytest.raises(goren.GorenError):
            goren.parse_games(text)


def test_renlib_libraries_are_read(tmp_path):
    head = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
    # The root; h8 with a comment; below it two siblings.
    nodes = bytes([0x00, 0x00]) + bytes([0x78, 0x08]) + b"the centre\0\0"
    nodes += bytes([0x68, 0xC0]) + bytes([0x67, 0x50])
    path = tmp_path / "small.lib"
    path.write_bytes(head + nodes)
    found = goren.read_renlib(path)
    assert [node.moves for node in found] == [[], ["h8"], ["h8", "h9"], ["h8", "g9"]]
    assert found[1].comment == "the centre"
    assert [node.leaf for node in found] == [False, False, True, True]
    assert found[3].marked
    path.write_bytes(head + nodes[:-1])
    with pytest.raises(goren.GorenError, match="small.lib"):
        goren.read_renlib(path)
