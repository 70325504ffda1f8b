"""Trains the layout network: `python training/layout/train.py <pages> --out build/layout --minutes 30`.

Writes `<out>/last.pt`. The log gives, for each class, the precision and recall of pixels on pages that are not trained on.
"""

from __future__ import annotations

import argparse
import math
import os
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

from data import Crops, load, targets
from model import CLASSES, LayoutNet

# Of each class in the loss: rules are what the product takes from the network.
WEIGHTS = torch.tensor([2.0, 2.0, 0.5, 0.7])
# One page in so many is only evaluated on.
HELD_OUT = 12
EVALUATED = 60


def loss_of(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Cross entropy of every pixel, and the overlap of each class over the batch."""
    entropy = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none").mean((0, 2, 3))
    p = logits.sigmoid()
    overlap = 1 - (2 * (p * wanted).sum((0, 2, 3)) + 50) / (p.sum((0, 2, 3)) + wanted.sum((0, 2, 3)) + 50)
    return ((4 * entropy + 0.5 * overlap) * WEIGHTS).sum()


@torch.no_grad()
def evaluate(model: LayoutNet, crops: list) -> str:
    model.eval()
    hit, seen, there = np.zeros(4), np.zeros(4), np.zeros(4)
    for image, labels in crops:
        x = torch.from_numpy(image).float()[None, None] / 127.5 - 1
        found = (model(x)[0] > 0).numpy()
        wanted = targets(labels) > 0
        hit += (found & wanted).sum((1, 2))
        seen += found.sum((1, 2))
        there += wanted.sum((1, 2))
    model.train()
    return "  ".join(f"{c} {h / max(1, s):.3f}/{h / max(1, t):.3f}" for c, h, s, t in zip(CLASSES, hit, seen, there, strict=True))


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("pages", help="folder that pages.ts has written")
    p.add_argument("--out", default="build/layout")
    p.add_argument("--minutes", type=float, default=30)
    p.add_argument("--rate", type=float, default=3e-3)
    p.add_argument("--batch", type=int, default=4)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--initial", help="weights to go on from")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    pages, screens = load(a.pages)
    held = [i for i in range(len(pages)) if i % HELD_OUT == HELD_OUT // 2]
    rest = [i for i in range(len(pages)) if i not in held]
    crops = Crops([pages[i] for i in rest], [i in screens for i in rest], a.seed)
    test = Crops([pages[i] for i in held], [i in screens for i in held], 77)
    tests = [test.crop() for _ in range(EVALUATED)]
    model = LayoutNet()
    if a.initial:
        model.load_state_dict(torch.load(a.initial))
    model = model.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), a.rate, weight_decay=0.01)
    began, step, total = time.time(), 0, 0.0
    drawing = 0.0
    while True:
        t = time.time()
        some = [crops.crop() for _ in range(a.batch)]
        drawing += time.time() - t
        x = (torch.from_numpy(np.stack([s[0] for s in some])).float()[:, None] / 127.5 - 1).to(memory_format=torch.channels_last)
        y = torch.from_numpy(np.stack([targets(s[1]) for s in some]))
        progress = (time.time() - began) / (a.minutes * 60)
        for group in optimiser.param_groups:
            group["lr"] = a.rate * min(1, (step + 1) / 60) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))
        loss = loss_of(model(x), y)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        step, total = step + 1, total + float(loss.detach())
        if step % 100 == 0:
            print(f"step {step} loss {total / 100:.4f} progress {progress:.2f} {time.time() - began:.0f} s, drawing {drawing:.0f} s", flush=True)
            total = 0.0
        if step % 500 == 0 or progress >= 1:
            print(evaluate(model, tests), flush=True)
            torch.save(model.state_dict(), out / "last.pt")
        if progress >= 1:
            break


if __name__ == "__main__":
    main()
