#!/usr/bin/env bash
# What: polyomino turns pieces but does not mirror them unless told so, and forgets that it was told when a piece is added after.
# Version: polyomino 0.7.1 (PyPI) with numpy 1.26.4: the exact-cover that it pins cannot be imported beside numpy 2.
# Seen: 2026-11-27.
# Surprises: who counts the pentominoes on 6 x 10 with it: F has half its placements, and there is no message.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile polyomino==0.7.1 numpy==1.26.4; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from polyomino.board import Rectangle
from polyomino.constant import ALL_TETROMINOS, PENTOMINOS, TETROMINOS
from polyomino.tileset import exactly

board, f = Rectangle(4, 4), PENTOMINOS["F"]
turned, mirrored = len(list(board.positions(f))), len(list(board.positions(f, True)))
both, after = exactly([f]).with_reflections(), exactly([f]).with_reflections().and_one(f)
print("polyomino", version("polyomino"))
print(f"F on 4 x 4: {turned} placements, with mirror images {mirrored}")
print("with_reflections:", both.reflections, "- and one more piece:", after.reflections)
print("TETROMINOS:", len(TETROMINOS), "ALL_TETROMINOS:", len(ALL_TETROMINOS))
assert (turned, mirrored) == (16, 32)
assert both.reflections and not after.reflections
assert (len(TETROMINOS), len(ALL_TETROMINOS)) == (7, 5), "one has the mirror images as pieces, one has not"
PY
