import struct
import zlib

import pytest

import goren

BLACK, WHITE = 0, 1


def write_tree(path, rule, size, attacker, to_move, stones, packed):
    """Writes a tree without moves, by the description of the format: a log without batches,
    or a packed tree without parts. Stones are column, row from the top, colour."""
    body = bytes([len(rule), *rule.encode(), *size, attacker, to_move])
    body += struct.pack("<H", len(stones)) + b"".join(bytes(stone) for stone in stones)
    head = struct.pack("<II", len(body), zlib.crc32(body)) + body
    path.write_bytes((b"GORENPK2" if packed else b"GORENPF1") + head + b"\0\0" * packed)


def test_a_tree_is_checked(root):
    tree = goren.WinningTree(root / "tests/data/trees/rapfi-issue-32.packed")
    assert tree.attacker in ("black", "white") and tree.stones
    found = tree.check()
    assert found and found.holds and found.flaw is None and found.moves > 0


def test_a_packed_tree_has_its_claim(root):
    tree = goren.WinningTree(root / "src/proof/trees/renju-15x15.packed")
    assert (tree.game, tree.size, tree.attacker, tree.to_move) == ("renju", (15, 15), "black", "white")
    assert tree.stones == [("h8", "black")] and len(tree.replies) == 35
    with pytest.raises(goren.GorenError, match="not a reply"):
        tree.check(["h8"])


def test_a_damaged_tree_is_refused(root, tmp_path):
    whole = (root / "tests/data/trees/rapfi-issue-32.packed").read_bytes()
    path = tmp_path / "cut.tree"
    for cut in [0, 5, len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:cut])
        with pytest.raises(goren.GorenError):
            goren.WinningTree(path)
    with pytest.raises(FileNotFoundError):
        goren.WinningTree(tmp_path / "none.tree")


def test_a_side_with_nothing_but_fouls_has_not_lost(tmp_path):
    rows = ["XOXXOXO", "OXOOXOX", "XXX.XXO", "OXOOXOX", "XOXXOXO"]
    stones = [
        (x, y, "XO".index(stone))
        for y, row in enumerate(rows)
        for x, stone in enumerate(row)
        if stone != "."
    ]
    path = tmp_path / "fouls.tree"
    write_tree(path, "renju", (7, 5), WHITE, BLACK, stones, packed=False)
    found = goren.WinningTree(path).check()
    assert not found and found.flaw == "every reply is a foul"


@pytest.mark.parametrize("black", [range(4, 8), range(5, 8)])
def test_a_reply_without_a_part_is_open(tmp_path, black):
    # The four needs no answer; the three wins by fours that the tree need not store.
    stones = [(x, 7, BLACK) for x in black] + [(0, 0, WHITE), (14, 0, WHITE), (0, 14, WHITE)]
    path = tmp_path / "none.packed"
    write_tree(path, "standard", (15, 15), BLACK, WHITE, stones, packed=True)
    found = goren.WinningTree(path).check()
    assert not found and "no move of the attacker is known" in found.flaw
