"""Endless stream of training batches, and the fixed evaluation set."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from corpus import TextSource
from render import DEGRADATIONS, HEIGHT, Renderer, evaluation_fonts, latin_fonts, training_fonts

# Share of each kind of line at the start and at the end of training: short pieces first, whole names later.
EARLY = {"cut_name": 36, "random_syllables": 22, "amount": 11, "code": 10, "date": 3, "maker": 5, "header": 5, "phrase": 4, "latin": 5, "marks": 4, "name": 0, "marked_name": 0}
LATE = {"cut_name": 22, "random_syllables": 7, "amount": 15, "code": 10, "date": 3, "maker": 5, "header": 7, "phrase": 4, "latin": 3, "marks": 2, "name": 19, "marked_name": 8}
DEGRADATION_SHARE = (29, 27, 22, 22)
EVALUATION_KINDS = ("name", "marked_name", "header", "maker", "amount", "code", "random_syllables")
MAX_WIDTH = 1400


@dataclass(frozen=True)
class Schedule:
    """How far a run is, from 0 to 1: by lines, or sooner by the clock when `seconds` bounds it (then not reproducible)."""

    lines: int
    start: int = 0
    seconds: float = float("inf")
    began: float = 0.0

    def progress(self, lines: int) -> float:
        first = self.start / self.lines
        return min(1.0, max(lines / self.lines, first + (1 - first) * (time.time() - self.began) / self.seconds))


def shares(progress: float) -> dict[str, float]:
    """Linear from EARLY to LATE between 35 % and 60 % of the run."""
    t = min(1.0, max(0.0, (progress - 0.35) / 0.25))
    return {k: EARLY[k] * (1 - t) + LATE[k] * t for k in EARLY}


def to_batch(images: list[np.ndarray], fill: float = 1.0) -> torch.Tensor:
    """[N, 3, 48, W] in -1..1, padded on the right with `fill`, W a multiple of 16."""
    width = -(-max(i.shape[1] for i in images) // 16) * 16
    out = np.full((len(images), 1, HEIGHT, width), fill, np.float32)
    for row, image in zip(out, images, strict=True):
        row[0, :, : image.shape[1]] = image.astype(np.float32) / 127.5 - 1
    return torch.from_numpy(out).expand(-1, 3, -1, -1)


class TrainingBatches(IterableDataset):
    """Batches of lines of like width holding about `pixels` columns, as (images, targets, target lengths, lines)."""

    def __init__(self, charset: list[str], seed: int, schedule: Schedule, pixels: int, rank: int = 0, ranks: int = 1):
        self.index = {c: i for i, c in enumerate(charset)}
        self.seed, self.schedule, self.pixels, self.rank, self.ranks = seed, schedule, pixels, rank, ranks

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor, int]]:
        worker = get_worker_info()
        per_rank = worker.num_workers if worker else 1
        workers, number = self.ranks * per_rank, self.rank * per_rank + (worker.id if worker else 0)
        rng = random.Random(f"{self.seed}/{self.schedule.start}/{number}")
        source, renderer = TextSource(rng), Renderer(rng, training_fonts(), latin_fonts())
        made = self.schedule.start
        while True:
            pool: list[tuple[np.ndarray, str]] = []
            kinds = shares(self.schedule.progress(made))
            while len(pool) < 300:
                text = source.line(rng.choices(list(kinds), list(kinds.values()))[0])
                image = renderer.line(text, rng.choices(DEGRADATIONS, DEGRADATION_SHARE)[0])
                if image is not None and image.shape[1] <= MAX_WIDTH and image.shape[1] // 4 > len(text) * 2:
                    pool.append((image, text))
            made += len(pool) * workers
            pool.sort(key=lambda p: p[0].shape[1])
            batches, batch = [], []
            for item in pool:
                if batch and item[0].shape[1] * (len(batch) + 1) > self.pixels:
                    batches.append(batch)
                    batch = []
                batch.append(item)
            batches.append(batch)
            rng.shuffle(batches)
            for batch in batches:
                targets = [[self.index[c] for c in text] for _, text in batch]
                yield (
                    # Both paddings in use: white, and PaddleOCR's zero (mid-grey).
                    to_batch([i for i, _ in batch], 1.0 if rng.random() < 0.6 else 0.0).contiguous(),
                    torch.tensor([c for t in targets for c in t]),
                    torch.tensor([len(t) for t in targets]),
                    len(batch),
                )


def evaluation_set(
    per_cell: int, kinds: tuple[str, ...] = EVALUATION_KINDS, *, seed: int = 20261121, seen_fonts: bool = False
) -> list[tuple[str, str, str, np.ndarray]]:
    """(kind, degradation, text, image): held-out words, seeds and (unless `seen_fonts`, for calibration) fonts."""
    rng = random.Random(f"evaluation/{seed}/{seen_fonts}" if seen_fonts else f"evaluation/{seed}")
    source, renderer = TextSource(rng, held_out=True), Renderer(rng, training_fonts() if seen_fonts else evaluation_fonts())
    found = []
    for kind in kinds:
        for degradation in DEGRADATIONS:
            count = 0
            while count < per_cell:
                text = source.line(kind)
                image = renderer.line(text, degradation)
                if image is not None:
                    found.append((kind, degradation, text, image))
                    count += 1
    return found
