"""CTC decoding and the figures of a recogniser: CER, exact lines, reliability."""

from __future__ import annotations

from collections import defaultdict

import numpy as np


def decode(probabilities: np.ndarray, charset: list[str]) -> tuple[str, float]:
    """Best path of [T, C] probabilities, and the chance that all of it is right: the product of its characters' peaks."""
    best = probabilities.argmax(-1)
    peak = probabilities.max(-1)
    text, scores, last = [], [], 0
    for c, p in zip(best.tolist(), peak.tolist(), strict=True):
        if c and c != last:
            text.append(charset[c])
            scores.append(p)
        elif c and p > scores[-1]:
            scores[-1] = p
        last = c
    return "".join(text), float(np.prod(scores)) if scores else 0.0


def distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, cb in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (ca != cb))
    return row[-1]


def table(rows: list[tuple[str, str, str, str]]) -> dict[tuple[str, str], tuple[float, float, int]]:
    """(kind, degradation, truth, read) -> {(kind, degradation): (CER %, exact %, lines)}."""
    cells: dict[tuple[str, str], list[tuple[int, int, bool]]] = defaultdict(list)
    for kind, degradation, truth, read in rows:
        entry = (distance(truth, read), len(truth), truth == read)
        for key in ((kind, degradation), (kind, "all"), ("all", "all")):
            cells[key].append(entry)
    return {
        k: (100 * sum(e[0] for e in v) / sum(e[1] for e in v), 100 * sum(e[2] for e in v) / len(v), len(v)) for k, v in cells.items()
    }


def printed(figures: dict[tuple[str, str], tuple[float, float, int]]) -> str:
    kinds, classes = (sorted({key[i] for key in figures}, key=lambda v: (v == "all", v)) for i in (0, 1))
    lines = ["CER % / exact %".ljust(18) + "".join(c.rjust(14) for c in classes)]
    for kind in kinds:
        cells = [figures.get((kind, c)) for c in classes]
        lines.append(kind.ljust(18) + "".join((f"{c[0]:.2f} / {c[1]:.1f}" if c else "").rjust(14) for c in cells))
    return "\n".join(lines)


def reliability(scored: list[tuple[float, bool]], edges: tuple[float, ...] = (0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0001)) -> tuple[str, float]:
    """Lines by confidence: count, mean confidence, share read exactly; and the expected calibration error."""
    lines, error = [], 0.0
    for low, high in zip(edges, edges[1:], strict=False):
        group = [(s, ok) for s, ok in scored if low <= s < high]
        if group:
            confidence, exact = float(np.mean([s for s, _ in group])), float(np.mean([ok for _, ok in group]))
            error += abs(confidence - exact) * len(group) / len(scored)
            lines.append(f"| {low:.2f}-{min(high, 1):.2f} | {len(group)} | {confidence:.3f} | {100 * exact:.1f} % |")
    return "\n".join(["| confidence | lines | mean | exact |", "|---|---|---|---|", *lines]), error
