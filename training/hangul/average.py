"""Averages the weights of checkpoints of one lineage: `python training/hangul/average.py out.pt a.pt=0.5 b.pt=0.5`; the exported
file, `layers/ocr/hangul-rec.onnx`, may be one of them.

Runs that go on from the same weights end in one valley; its middle reads better than either end. The result can be
exported, not resumed: its optimiser is the first checkpoint's.
"""

from __future__ import annotations

import sys

import torch

from charset import charset
from model import Recogniser, load_shipped


def main(out: str, parts: list[str]) -> None:
    pairs = [part.rsplit("=", 1) for part in parts]
    weights = [float(weight) for _, weight in pairs]
    if abs(sum(weights) - 1) > 1e-6:
        sys.exit(f"The weights add up to {sum(weights)}, not to 1.")
    states = [loaded(path) for path, _ in pairs]
    first = states[0]
    for name, value in first["average"].items():
        if value.is_floating_point():
            first["average"][name] = sum(w * s["average"][name].float() for w, s in zip(weights, states, strict=True)).to(value.dtype)
    torch.save(first, out)


def loaded(path: str) -> dict:
    if not path.endswith(".onnx"):
        return torch.load(path, map_location="cpu")
    model = Recogniser(charset())
    load_shipped(model, path)
    return {"average": model.state_dict()}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
