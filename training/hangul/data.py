"""Endless stream of training batches, and the fixed evaluation set."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from corpus import TextSource
from render import DEGRADATIONS, HEIGHT, Renderer, evaluation_fonts, latin_fonts, training_fonts

# Share of each kind of line at the start and at the end of training: short pieces first, whole names later.
EARLY = {"cut_name": 36, "random_syllables": 22, "amount": 11, "code": 10, "date": 3, "maker": 5, "header": 5, "phrase": 4, "latin": 5, "marks": 4, "name": 0, "marked_name": 0}
LATE = {"cut_name": 22, "random_syllables": 7, "amount": 15, "code": 10, "date": 3, "maker": 5, "header": 7, "phrase": 4, "latin": 3, "marks": 2, "name": 19, "marked_name": 8}
# Of a run that goes on from the shipped model: what prescriptions print has its part.
SETTLED = {"cut_name": 16, "random_syllables": 8, "near_name": 10, "amount": 9, "signed_amount": 5, "dose": 10, "doses": 13, "code": 9, "lettered_code": 4, "date": 2, "maker": 3, "header": 6, "phrase": 4, "latin": 2, "latin_name": 6, "coded_latin_name": 2, "marks": 2, "name": 12, "marked_name": 5, "coded_name": 12}
DEGRADATION_SHARE = (29, 27, 22, 22)
# Of the evaluation with something drawn over the lines.
DISTURBED_KINDS = ("coded_name", "name", "near_name", "code", "lettered_code", "signed_amount", "dose", "doses", "latin_name")
EVALUATION_KINDS = ("name", "marked_name", "header", "maker", "amount", "code", "random_syllables")
MAX_WIDTH = 1400


# Of the lines of a run that is given lines of pages.
PAGE_LINES_SHARE = 0.4
# How many times likelier a line is drawn that the model before misread.
MISREAD_WEIGHT = 3


class PageLines:
    """What `page-lines.ts` wrote: lines as the product cuts them out of pages, with what stands there."""

    def __init__(self, paths: list[str]):
        self.lines: list[tuple[np.ndarray, str]] = []
        weights = []
        for path in paths:
            raw, at = np.memmap(f"{path}.raw", np.uint8, "r"), 0
            for one in map(json.loads, Path(f"{path}.jsonl").read_text(encoding="utf-8").splitlines()):
                width = one["width"]
                if width // 4 > len(one["text"]) * 1.2:
                    self.lines.append((raw[at : at + HEIGHT * width].reshape(HEIGHT, width), one["text"]))
                    weights.append(MISREAD_WEIGHT if one["text"] != one["read"] else 0.5 if len(one["text"]) < 3 else 1)
                at += HEIGHT * width
        self.cumulative = np.cumsum(weights)

    def line(self, rng: random.Random) -> tuple[np.ndarray, str]:
        image, text = self.lines[int(np.searchsorted(self.cumulative, rng.random() * self.cumulative[-1]))]
        image = np.asarray(image, np.float32)
        if rng.random() < 0.7:  # never the same pixels twice: exposure, sharpness, room around it
            dark = rng.uniform(-30, 30)
            image = 255 - (255 - image) * rng.uniform(0.75, 1.2) + dark * (1 - image / 255)
            if rng.random() < 0.3:
                image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.1))
            image = np.clip(image, 0, 255)
            f = rng.uniform(0.9, 1.12)
            image = cv2.resize(image, None, fx=f, fy=1, interpolation=cv2.INTER_LINEAR)
            shift = rng.randint(-2, 2)
            image = cv2.copyMakeBorder(image, max(0, shift), max(0, -shift), 0, 0, cv2.BORDER_REPLICATE)
            image = image[:HEIGHT] if shift < 0 else image[image.shape[0] - HEIGHT :]
        return np.clip(image, 0, 255).astype(np.uint8), text


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

    def __init__(self, charset: list[str], seed: int, schedule: Schedule, pixels: int, rank: int = 0, ranks: int = 1, settled: bool = False, page_lines: PageLines | None = None):
        self.settled, self.page_lines = settled, page_lines
        self.index = {c: i for i, c in enumerate(charset)}
        self.seed, self.schedule, self.pixels, self.rank, self.ranks = seed, schedule, pixels, rank, ranks

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor, int]]:
        worker = get_worker_info()
        per_rank = worker.num_workers if worker else 1
        workers, number = self.ranks * per_rank, self.rank * per_rank + (worker.id if worker else 0)
        rng = random.Random(f"{self.seed}/{self.schedule.start}/{number}")
        source, renderer = TextSource(rng), Renderer(rng, training_fonts(), latin_fonts(), disturbed=True)
        made = self.schedule.start
        while True:
            pool: list[tuple[np.ndarray, str]] = []
            kinds = SETTLED if self.settled else shares(self.schedule.progress(made))
            while len(pool) < 300:
                if self.page_lines and rng.random() < PAGE_LINES_SHARE:
                    image, text = self.page_lines.line(rng)
                    if image.shape[1] <= MAX_WIDTH and all(c in self.index for c in text):
                        pool.append((image, text))
                    continue
                text = source.line(rng.choices(list(kinds), list(kinds.values()))[0])
                image = renderer.line(text, rng.choices(DEGRADATIONS, DEGRADATION_SHARE)[0])
                if image is not None and image.shape[1] <= MAX_WIDTH and image.shape[1] // 4 > len(text) * 2 and all(c in self.index for c in text):
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
    per_cell: int, kinds: tuple[str, ...] = EVALUATION_KINDS, *, seed: int = 20261121, seen_fonts: bool = False, disturbed: bool = False
) -> list[tuple[str, str, str, np.ndarray]]:
    """(kind, degradation, text, image): held-out words, seeds and (unless `seen_fonts`, for calibration) fonts.

    `disturbed`: with what stands over letters on paper, on those of them that are printed.
    """
    rng = random.Random(f"evaluation/{seed}/{seen_fonts}" if seen_fonts else f"evaluation/{seed}")
    source, renderer = TextSource(rng, held_out=True), Renderer(rng, training_fonts() if seen_fonts else evaluation_fonts(), disturbed=disturbed)
    found = []
    for kind in kinds:
        for degradation in DEGRADATIONS[disturbed:]:
            count = 0
            while count < per_cell:
                text = source.line(kind)
                image = renderer.line(text, degradation)
                if image is not None:
                    found.append((kind, degradation, text, image))
                    count += 1
    return found
