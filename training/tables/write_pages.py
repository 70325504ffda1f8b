"""`python training/tables/write_pages.py <folder of drugs.ts> <out> --count 150 --first 0`: pages with noise, as `npm run bench layouts -- <out>` reads
them. Seeds are negative, as those of `train.py` for evaluation: none was trained on."""

from __future__ import annotations

import argparse
import itertools
import json
import random
from pathlib import Path

from noise import disturbed
from pages import is_kept_apart, make_page
from paper import World

# Pixels of a letter height.
SCALE = 24


def page_of(world: World, seed: int, kept_apart: bool) -> dict | None:
    rng = random.Random(seed)
    page = make_page(world, rng)
    if kept_apart and not is_kept_apart(page):
        return None
    prints = [
        {"text": t.text, "box": [round(SCALE * side, 1) for side in (t.x, t.y, t.w, t.h)], "confidence": round(t.confidence, 3), "cell": t.cell}
        for t in disturbed(page, rng)
    ]
    return {"file": f"seed {seed}", "layout": page.layout.strip(), "prints": prints, "rows": page.rows}


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("drugs")
    p.add_argument("out", type=Path)
    p.add_argument("--count", type=int, default=150)
    p.add_argument("--first", type=int, default=0, help="pages of other seeds")
    p.add_argument("--kept-apart", action="store_true", help="only lists of shapes that no training sees")
    a = p.parse_args()
    world = World.load(a.drugs)
    made = (page_of(world, -1 - a.first - n, a.kept_apart) for n in itertools.count())
    pages = list(itertools.islice(filter(None, made), a.count))
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "pages.json").write_text(json.dumps(pages, ensure_ascii=False))


if __name__ == "__main__":
    main()
