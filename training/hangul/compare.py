"""The shipped model beside PP-OCRv4's own network on the same held-out numerals and codes, and time a line of both.

`python training/hangul/compare.py layers/ocr --base <PP-OCRv4 rec .onnx> --base-keys <keys .txt>`
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort

from data import evaluation_set, to_batch
from metrics import decode, printed, table

NUMERIC = "0123456789,."


def session(path: Path) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    return ort.InferenceSession(str(path), options)


def classes(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("model", type=Path)
    p.add_argument("--base", type=Path, required=True)
    p.add_argument("--base-keys", type=Path, required=True)
    p.add_argument("--per-cell", type=int, default=100)
    a = p.parse_args()
    contenders = {
        "PP-OCRv4": (session(a.base), ["", *classes(a.base_keys), " "]),
        "ours": (session(a.model / "hangul-rec.onnx"), ["", *classes(a.model / "hangul-rec.txt")]),
    }
    lines = [e for e in evaluation_set(a.per_cell, kinds=("amount", "code")) if set(e[2]) <= set(NUMERIC)]
    for name, (runner, charset) in contenders.items():
        allowed = [i for i, c in enumerate(charset) if i == 0 or c in NUMERIC and c]
        free, restricted = [], []
        for kind, degradation, text, image in lines:
            probabilities = runner.run(None, {runner.get_inputs()[0].name: to_batch([image]).numpy()})[0][0]
            free.append((kind, degradation, text, decode(probabilities, charset)[0]))
            restricted.append((kind, degradation, text, decode(probabilities[:, allowed], [charset[i] for i in allowed])[0]))
        for mode, rows in (("all classes", free), ("only 0-9 , .", restricted)):
            print(f"{name}, {mode}\n{printed(table(rows))}\n")
        for width in (160, 320, 640):
            x = np.zeros((1, 3, 48, width), np.float32)
            runner.run(None, {runner.get_inputs()[0].name: x})
            began = time.perf_counter()
            for _ in range(20):
                runner.run(None, {runner.get_inputs()[0].name: x})
            print(f"{name}: {(time.perf_counter() - began) * 50:.1f} ms a line of {width} px, one thread")


if __name__ == "__main__":
    main()
