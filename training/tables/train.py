"""Trains the network of tables: `python training/tables/train.py build/tables --out build/tables --minutes 18`.

Pages are made as they are needed. Writes `<out>/last.pt`; the log gives the accuracy of roles and of anchors, and the share of whole lines, on
pages of other seeds.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from pathlib import Path

if sys.platform == "linux" and "MALLOC_TRIM_THRESHOLD_" not in os.environ:
    # glibc gives large blocks back to the kernel after every layer; page faults then cost a third of a step.
    os.environ.update(MALLOC_TRIM_THRESHOLD_="20000000000", MALLOC_MMAP_THRESHOLD_="20000000000", MALLOC_TOP_PAD_="200000000")
    os.execv(sys.executable, [sys.executable, *sys.argv])

import numpy as np
import torch
import torch.nn.functional as F

from features import IDS, NUMBERS, encode
from model import TableNet
from noise import disturbed
from pages import is_kept_apart, make_page
from paper import ROLE, World

MAX_PRINTS = 190
EVALUATED = 120
# Pairs of prints in one step: pages of like size share it.
PAIRS = 90_000
CODES = (ROLE["drugCode"], ROLE["codeName"])


def sample(world: World, seed: int) -> dict[str, np.ndarray] | None:
    rng = random.Random(seed)
    page = make_page(world, rng)
    if is_kept_apart(page):
        return None
    tokens = disturbed(page, rng)
    if not 2 <= len(tokens) <= MAX_PRINTS:
        return None
    rng.shuffle(tokens)
    anchors: dict[int, int] = {}
    # The code, else the first print of the name.
    order = sorted(range(len(tokens)), key=lambda i: (tokens[i].role not in CODES, tokens[i].role != ROLE["drugName"], tokens[i].y, tokens[i].x))
    for i in order:
        if tokens[i].line >= 0 and tokens[i].role:
            anchors.setdefault(tokens[i].line, i)
    e = encode(tokens)
    e["roles"] = np.array([t.role for t in tokens])
    e["anchors"] = np.array([anchors.get(t.line, -1) if t.line >= 0 else -1 for t in tokens])
    return e


def batch(pages: list[dict[str, np.ndarray]]) -> dict[str, torch.Tensor]:
    n = max(len(p["roles"]) for p in pages)

    def padded(name: str, shape: tuple[int, ...], value: float, kind) -> torch.Tensor:
        out = np.full((len(pages), n, *shape), value, kind)
        for i, p in enumerate(pages):
            out[i, : len(p[name])] = p[name]
        return torch.from_numpy(out)

    return {
        "ids": padded("ids", (IDS,), 0, np.int64), "numbers": padded("numbers", (NUMBERS,), 0, np.float32), "boxes": padded("boxes", (4,), -1000, np.float32),
        "cells": padded("cells", (4,), -1, np.float32), "roles": padded("roles", (), -1, np.int64), "anchors": padded("anchors", (), -1, np.int64),
    }


def outputs(model: TableNet, b: dict[str, torch.Tensor]):
    return model(b["ids"], b["numbers"], b["boxes"], b["cells"])


@torch.no_grad()
def evaluate(model: TableNet, pages: list) -> str:
    model.eval()
    right = np.zeros(6)
    for p in pages:
        b = batch([p])
        role, anchor = outputs(model, b)
        roles, anchors = role[0].argmax(-1).numpy(), anchor[0].argmax(-1).numpy()
        wanted = p["anchors"] >= 0
        same = roles == p["roles"]
        points = anchors == p["anchors"]
        right[:2] += (same.sum(), len(same))
        right[2:4] += (points[wanted].sum(), wanted.sum())
        for line in set(p["anchors"][wanted]):
            of = p["anchors"] == line
            right[4:] += (bool(same[of].all() and points[of].all()), 1)
    model.train()
    return f"roles {right[0] / right[1]:.4f}  anchors {right[2] / right[3]:.4f}  lines {right[4] / right[5]:.4f}"


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("drugs", help="folder that drugs.ts has written")
    p.add_argument("--out", default="build/tables")
    p.add_argument("--minutes", type=float, default=18, help="of processor")
    p.add_argument("--wall", type=float, default=math.inf, help="minutes of wall time, if these are over first")
    p.add_argument("--rate", type=float, default=1.5e-3)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--initial", help="weights to go on from")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    world = World.load(a.drugs)
    tests = [t for t in (sample(world, -s - 1) for s in range(EVALUATED)) if t]
    model = TableNet()
    if a.initial:
        model.load_state_dict(torch.load(a.initial))
    print(f"{sum(w.numel() for w in model.parameters())} weights", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), a.rate, weight_decay=0.01)
    started = time.monotonic()
    began, step, total, seen, seed = time.process_time(), 0, 0.0, 0, a.seed * 10_000_000
    waiting: list = []
    while True:
        if len(waiting) < 32:
            while len(waiting) < 160:
                made = sample(world, seed)
                seed += 1
                if made:
                    waiting.append(made)
            waiting.sort(key=lambda e: len(e["roles"]))
        at = random.Random(step).randrange(len(waiting))
        size = len(waiting[at]["roles"])
        count = max(2, min(12, PAIRS // (size * size)))
        some, waiting[at : at + count] = waiting[at : at + count], []
        b = batch(some)
        progress = max((time.process_time() - began) / a.minutes, (time.monotonic() - started) / a.wall) / 60
        for group in optimiser.param_groups:
            group["lr"] = a.rate * min(1, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))
        role, anchor = outputs(model, b)
        loss = F.cross_entropy(role.flatten(0, 1), b["roles"].flatten(), ignore_index=-1)
        pointed = b["anchors"].flatten()
        if (pointed >= 0).any():
            loss = loss + 0.5 * F.cross_entropy(anchor.flatten(0, 1), pointed, ignore_index=-1)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step, total, seen = step + 1, total + float(loss.detach()), seen + len(some)
        if step % 100 == 0:
            print(f"step {step} pages {seen} loss {total / 100:.4f} {time.process_time() - began:.0f} s", flush=True)
            total = 0.0
        if step % 500 == 0 or progress >= 1:
            print(evaluate(model, tests), flush=True)
            torch.save(model.state_dict(), out / "last.pt")
        if progress >= 1:
            break


if __name__ == "__main__":
    main()
