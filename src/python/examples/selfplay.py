"""From files of self-play to a plot: how well do scores foretell results?

    python selfplay.py FILE.games [...] --out calibration.png

Reads the positions batch by batch, so the files may be of any size. Left: the share of
points that the side to move got, by the score of the search, with the curve to which the
evaluation is fitted. Right: how often each cell is the best move of the search.
Without files it uses the sample next to the script, made by
`goren selfplay --game freestyle --size 15 --games 40 --nodes 1500 --out freestyle.games`.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

import goren

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

SAMPLE = Path(__file__).with_name("freestyle.games")
# Edges of the score classes, in points, and the scale of the evaluation's curve.
EDGES = np.linspace(-800, 800, 33)
POINTS_PER_LOGIT = 200


def calibration(files, whole_games):
    """Returns mean result and number of positions by class of score, and best moves by cell."""
    count, points, wanted = np.zeros(len(EDGES) - 1), np.zeros(len(EDGES) - 1), None
    stream = goren.read_positions(files, batch=8192, whole_games=whole_games)
    for batch in stream:
        height, width = batch.board.shape[1:]
        if wanted is None:
            wanted = np.zeros(height * width)
        evaluated = np.abs(batch.score) < 800
        index = np.digitize(batch.score[evaluated], EDGES) - 1
        share = (batch.result[evaluated].astype(float) + 1) / 2
        count += np.bincount(index, minlength=len(count))[: len(count)]
        points += np.bincount(index, share, minlength=len(count))[: len(count)]
        known = batch.best >= 0
        wanted += np.bincount(batch.best[known], minlength=height * width)
    for fault in stream.faults:
        print("note:", fault)
    with np.errstate(invalid="ignore"):
        return stream, points / count, count, wanted.reshape(height, width)


def plot(stream, share, count, wanted, out):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    middle = (EDGES[:-1] + EDGES[1:]) / 2
    sizes = 10 + 90 * count / max(count.max(), 1)
    left.scatter(middle, share, s=sizes, color="black", label="games")
    left.plot(EDGES, 1 / (1 + np.exp(-EDGES / POINTS_PER_LOGIT)), label="evaluation's curve")
    left.set(xlabel="score of the search, points", ylabel="share of points", ylim=(-0.05, 1.05))
    left.legend()
    right.imshow(wanted, cmap="Greys", extent=(0.5, wanted.shape[1] + 0.5, 0.5, wanted.shape[0] + 0.5))
    right.set(title="best moves", xlabel="column", ylabel="row")
    figure.suptitle(f"{stream.game}: {stream.games} games, {int(count.sum())} positions")
    figure.savefig(out, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, default=[SAMPLE])
    parser.add_argument("--out", type=Path, default=Path("calibration.png"))
    parser.add_argument("--whole-games", action="store_true")
    args = parser.parse_args()
    found = calibration(args.files, args.whole_games)
    plot(*found, args.out)
    print(args.out, int(found[2].sum()), "positions")


if __name__ == "__main__":
    main()
