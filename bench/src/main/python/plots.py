"""Draws results.json: one SVG for each path, a panel for each payload, a bar for each contender.

plots.py RESULTS FOLDER
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

# The same file for the same results; texts stay texts.
matplotlib.rcParams["svg.hashsalt"] = "sluice"
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["font.family"] = "sans-serif"

OURS = {
    "native-binary": "#b3400f",
    "native-batch": "#cf6a2c",
    "native-arrow": "#e0915a",
    "native-generic": "#edb78d",
    "java": "#f3d5bd",
}
PEER = "#7d93ab"
FLOOR = "#e3e6ea"
PAYLOADS = ["flat", "nested", "wide", "strings", "proto2", "oneof", "evolution", "ids-1000"]
PANELS_IN_A_ROW = 3


def place(payload):
    return (PAYLOADS.index(payload) if payload in PAYLOADS else len(PAYLOADS), payload)


def colour(contender):
    return OURS.get(contender, FLOOR if contender.endswith("-floor") else PEER)


def draw_panel(axes, payload, rows):
    rows = sorted(rows, key=lambda row: -row["ns"])
    names = [row["contender"] for row in rows]
    nanos = [row["ns"] for row in rows]
    spread = [
        [row["ns"] - row["min"] for row in rows],
        [row["max"] - row["ns"] for row in rows],
    ]
    axes.barh(
        names,
        nanos,
        xerr=spread,
        color=[colour(name) for name in names],
        edgecolor=["#9aa3ad" if name.endswith("-floor") else "none" for name in names],
        error_kw={"elinewidth": 0.8, "ecolor": "#333333"},
    )
    widest = max(row["max"] for row in rows)
    for at, row in enumerate(rows):
        ratio = f"  ({row['vs_flink']:.3g}×)" if row["vs_flink"] else ""
        axes.text(row["max"] + widest * 0.02, at, f"{row['ns']:,.0f}{ratio}", va="center", fontsize=8)
    axes.set_xlim(0, widest * 1.35)
    axes.set_title(payload, fontsize=10, loc="left", fontweight="bold")
    axes.tick_params(labelsize=8)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(4))
    axes.spines[["top", "right"]].set_visible(False)


def draw(path, rows, file):
    payloads = sorted({row["payload"] for row in rows}, key=place)
    columns = min(PANELS_IN_A_ROW, len(payloads))
    lines = -(-len(payloads) // columns)
    bars = max(sum(row["payload"] == payload for row in rows) for payload in payloads)
    figure, grid = plt.subplots(
        lines,
        columns,
        figsize=(4.2 * columns, (0.9 + 0.27 * bars) * lines + 0.5),
        squeeze=False,
        layout="constrained",
    )
    for axes in grid.flat[len(payloads) :]:
        axes.set_visible(False)
    for axes, payload in zip(grid.flat, payloads):
        draw_panel(axes, payload, [row for row in rows if row["payload"] == payload])
    clock = "ns that passed" if path.startswith("kafka-wall") else "ns of CPU"
    figure.suptitle(
        f"{path}: {clock} per record, least is best; whiskers: min and max of the rounds; "
        "in brackets: speed, Flink's format = 1",
        fontsize=9,
    )
    figure.savefig(file, format="svg", metadata={"Date": None})
    plt.close(figure)


def main(results, folder):
    rows = json.loads(Path(results).read_text(encoding="utf-8"))
    for path in {row["path"] for row in rows}:
        draw(path, [row for row in rows if row["path"] == path], Path(folder) / f"{path}.svg")


if __name__ == "__main__":
    main(*sys.argv[1:])
