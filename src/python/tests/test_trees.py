import pytest

import goren


def test_a_tree_is_checked(root):
    tree = goren.WinningTree(root / "tests/data/trees/rapfi-issue-32.packed")
    assert tree.attacker in ("black", "white") and tree.stones
    found = tree.check()
    assert found and found.holds and found.flaw is None and found.moves > 0


def test_a_packed_tree_says_what_it_is_about(root):
    tree = goren.WinningTree(root / "src/proof/trees/renju-15x15.packed")
    assert (tree.game, tree.size, tree.attacker, tree.to_move) == ("renju", (15, 15), "black", "white")
    assert tree.stones == [("h8", "black")] and len(tree.replies) == 35
    with pytest.raises(goren.GorenError, match="no reply"):
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
