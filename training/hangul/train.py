"""Trains the line recogniser: `python training/hangul/train.py --base <PP-OCRv4 rec .onnx> --base-keys <keys .txt>`.

Writes `<out>/last.pt` (resumable) and a log; `export.py` turns a checkpoint into the shipped model.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import os
import sys
import time
from pathlib import Path

if sys.platform == "linux" and "MALLOC_TRIM_THRESHOLD_" not in os.environ:
    # glibc gives large blocks back to the kernel after every layer; page faults then cost a third of a CPU step.
    os.environ.update(MALLOC_TRIM_THRESHOLD_="20000000000", MALLOC_MMAP_THRESHOLD_="20000000000", MALLOC_TOP_PAD_="200000000")
    os.execv(sys.executable, [sys.executable, *sys.argv])

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch.utils.data import DataLoader

from charset import charset as make_charset
from data import PageLines, Schedule, TrainingBatches, evaluation_set, to_batch
from metrics import decode, printed, table
from model import Recogniser, frozen_norms, load_published, load_shipped

HERE = Path(__file__).parent


def published_classes(keys: Path) -> list[str]:
    """PP-OCR's dictionary as classes: blank, one character a line, space."""
    return ["", *keys.read_text(encoding="utf-8").rstrip("\n").split("\n"), " "]


def groups(model: Recogniser, rate: float) -> list[dict]:
    """New parts learn fast, the published backbone slowly; no decay on vectors and scalars."""
    scale = {"head": 1.5, "skip": 1.5, "stem": 0.3, "blocks": 0.4}
    result = []
    for name, parameter in model.named_parameters():
        s = scale.get(name.split(".")[0], 0.7)
        result.append({"params": [parameter], "lr": rate * s, "peak": rate * s, "weight_decay": 0.02 if parameter.ndim > 1 and not name.startswith("head") else 0.0})
    return result


def evaluate(model: Recogniser, lines: list, charset: list[str], device: str) -> str:
    model.eval()
    rows = []
    order = sorted(range(len(lines)), key=lambda i: lines[i][3].shape[1])
    with torch.no_grad():
        for at in range(0, len(order), 12):
            some = [lines[i] for i in order[at : at + 12]]
            batch = to_batch([s[3] for s in some]).to(device, memory_format=torch.channels_last)
            for item, probabilities in zip(some, model(batch).softmax(-1).float().cpu().numpy(), strict=True):
                rows.append((*item[:3], decode(probabilities, charset)[0]))
    model.train()
    return printed(table(rows))


def combine(model: Recogniser, count: int, progress: float) -> tuple[int, float]:
    """Averages the gradients of all processes; returns the lines of all of them and their common progress."""
    if not dist.is_initialized():
        return count, progress
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    extra = gradients[0].new_tensor([count, progress])
    flat = torch.cat([g.flatten() for g in gradients] + [extra])
    dist.all_reduce(flat)
    ranks = dist.get_world_size()
    for gradient, part in zip(gradients, flat[:-2].split([g.numel() for g in gradients]), strict=True):
        gradient.copy_(part.view_as(gradient) / ranks)
    return round(float(flat[-2])), float(flat[-1]) / ranks


def work(rank: int, a: argparse.Namespace) -> None:
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    if a.processes > 1:
        dist.init_process_group("gloo", init_method=f"file://{out.resolve()}/rendezvous-{os.getppid()}", rank=rank, world_size=a.processes)
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    charset = make_charset()
    model = Recogniser(charset)
    reused = 0
    if a.shipped:
        load_shipped(model, a.shipped)
    else:
        reused = load_published(model, a.base, published_classes(Path(a.base_keys)), charset)
    if a.initial:
        model.load_state_dict(torch.load(a.initial, map_location="cpu")["average"])
    model = model.to(a.device, memory_format=torch.channels_last)
    if a.shipped:
        frozen_norms(model)
    else:
        model.train()
    optimiser = torch.optim.AdamW(groups(model, a.rate), betas=(0.9, 0.98))
    average = copy.deepcopy(model)
    lines = step = 0
    if a.resume:
        state = torch.load(a.resume, map_location="cpu")
        model.load_state_dict(state["model"]), average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        lines, step = state["lines"], state["step"]
    log = (out / "log.txt").open("a")

    def say(text: str) -> None:
        if rank == 0:
            print(text, flush=True)
            log.write(text + "\n")
            log.flush()

    def save() -> None:
        if rank == 0:
            state = {"model": model.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict(), "lines": lines, "step": step, "charset": charset}
            torch.save(state, out / "next.pt")
            os.replace(out / "next.pt", out / "last.pt")

    say(json.dumps({k: v for k, v in vars(a).items() if k not in ("base", "base_keys", "out")}) + f" reused head rows: {reused}")
    held = evaluation_set(10)
    schedule = Schedule(a.lines, lines, a.minutes * 60, time.time())
    batches = TrainingBatches(charset, a.seed, schedule, a.pixels, rank, a.processes, bool(a.shipped), PageLines(a.page_lines) if a.page_lines else None)
    loader = DataLoader(batches, batch_size=None, num_workers=a.workers, prefetch_factor=30, multiprocessing_context="spawn")
    began, first, since, total, next_check = time.time(), lines, 0, 0.0, lines + a.evaluate_every
    progress = schedule.progress(lines)
    for images, targets, lengths, count in loader:
        warm = min(1.0, (step + 1) / 150)
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        images = images.to(a.device, memory_format=torch.channels_last)
        log_p = model(images, a.frozen_blocks if progress < 0.5 else 0).float().log_softmax(-1).transpose(0, 1)
        steps = torch.full((count,), log_p.shape[0])
        loss = F.ctc_loss(log_p, targets.to(a.device), steps, lengths, zero_infinity=True)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        done, progress = combine(model, count, schedule.progress(lines))
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        decay = min(0.998, (step + 1) / (step + 20))
        with torch.no_grad():
            for mean, value in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.lerp_(value, 1 - decay)
        step, lines = step + 1, lines + done
        total, since = total + float(loss.detach()), since + 1
        if step % 50 == 0:
            seconds = time.time() - began
            say(f"step {step} lines {lines} loss {total / since:.3f} progress {progress:.3f} {(lines - first) / seconds:.1f} lines/s {seconds:.0f} s")
            total, since = 0.0, 0
        if lines >= next_check:
            next_check += a.evaluate_every
            save()
            if rank == 0:
                say(evaluate(average, held, charset, a.device))
        if progress >= 1:
            break
    save()
    say(evaluate(average, evaluation_set(40), charset, a.device) if rank == 0 else "")


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--base", help="PP-OCRv4 recognition network, .onnx")
    p.add_argument("--base-keys", help="its dictionary, .txt")
    p.add_argument("--shipped", help="the exported model, .onnx, to go on from in place of --base (with --resume, too)")
    p.add_argument("--page-lines", nargs="*", default=[], help="lines of drawn pages, as page-lines.ts writes them (without ending)")
    p.add_argument("--out", default="build/hangul")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--lines", type=int, default=110_000, help="training lines; more on a GPU")
    p.add_argument("--minutes", type=float, default=float("inf"), help="end the schedule by the clock if the lines take longer")
    p.add_argument("--pixels", type=int, default=3_000, help="columns of a batch (sum of line widths), a process")
    p.add_argument("--rate", type=float, default=1.5e-3)
    p.add_argument("--frozen-blocks", type=int, default=4, help="early blocks kept as published in the first half")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--processes", type=int, default=2, help="data-parallel: on CPU a process a core beats threads by far when cores are shared")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--workers", type=int, default=1, help="rendering processes, a process")
    p.add_argument("--evaluate-every", type=int, default=4_000, help="lines between evaluations")
    p.add_argument("--resume", help="checkpoint to go on from (same --lines keeps the schedule)")
    p.add_argument("--initial", help="checkpoint whose averaged weights a fresh schedule starts from")
    a = p.parse_args()
    if not a.shipped and not (a.base and a.base_keys):
        p.error("name what to start from: --base and --base-keys, or --shipped")
    if a.processes > 1:
        mp.spawn(work, (a,), nprocs=a.processes)
    else:
        work(0, a)


if __name__ == "__main__":
    main()
