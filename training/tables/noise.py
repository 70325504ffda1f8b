"""The recogniser's part: letters confused, prints cut, joined and missed, boxes and cells found wrongly. Rates: `noise.json`."""

from __future__ import annotations

import json
import random
from pathlib import Path

from paper import Paper, ROLE, Token, text_width

MEASURED = json.loads((Path(__file__).parent / "noise.json").read_text())
COUNTS = {ROLE[r] for r in ("quantity", "timesPerDay", "days")}
JUNK = ["-", ".", "|", "l", "1", "ㅡ", "7", "O", "이", "·", "_", "=", "/", "ㄱ"]


def disturbed(page: Paper, rng: random.Random) -> list[Token]:
    # Most pages are read nearly without a mistake, some with many.
    badness = rng.choices([0, 1, 3, 10], [30, 35, 25, 10])[0]
    tokens = with_cells(page.tokens, rng)
    tokens = [p for t in tokens for p in cut(t, rng, badness)]
    tokens = joined(tokens, rng)
    skew, lean = (rng.gauss(0, 0.002) * min(3, badness) for _ in range(2))
    unlisted = rng.random() < 0.25
    kept = []
    for t in tokens:
        if rng.random() < MEASURED["missed"] * badness:
            continue
        errors = 0
        letters = []
        for c in t.text:
            if c == " ":
                letters.append("" if rng.random() < MEASURED["blank lost"] else c)
            elif rng.random() < MEASURED["letter"] * badness:
                letters.append(other(c, rng))
                errors += 1
            else:
                letters.append(c)
        t.text = "".join(letters) or t.text
        t.y += skew * t.x + rng.gauss(0, 0.04) * (0.5 + min(3, badness))
        t.x += lean * t.y + rng.gauss(0, 0.08)
        t.w = max(0.1, t.w + rng.gauss(0, 0.08))
        t.h *= rng.uniform(0.9, 1.1)
        t.confidence = min(1.0, max(0.02, rng.betavariate(20, 1) - (rng.random() * 0.6 if errors or rng.random() < 0.01 * badness else 0)))
        t.known = t.known and not unlisted and errors == 0
        kept.append(t)
    if kept:
        for _ in range(rng.choice([0, 0, 0, 1, 3])):
            at = rng.choice(kept)
            kept.append(Token(rng.choice(JUNK), at.x + rng.gauss(0, 8), at.y + rng.gauss(0, 2), rng.uniform(0.2, 0.8), rng.uniform(0.3, 1), confidence=rng.uniform(0.1, 0.9)))
    return kept


def other(letter: str, rng: random.Random) -> str:
    likely = MEASURED["confusions"].get(letter)
    if likely and rng.random() < 0.7:
        return rng.choices(list(likely), list(likely.values()))[0]
    if letter.isdigit():
        return rng.choice("0123456789")
    if ord(letter) > 0x1100:
        # A syllable that differs in its last jamo, or in any.
        return chr(min(0xD7A3, max(0xAC00, ord(letter) + rng.choice([-28, -3, -1, 1, 3, 28])))) if 0xAC00 <= ord(letter) <= 0xD7A3 else letter
    return rng.choice("abcegilmoIO0.,-")


def cut(t: Token, rng: random.Random, badness: float) -> list[Token]:
    """A print in two at a blank; the parts of a code with its name are a code and a name."""
    spaces = [i for i, c in enumerate(t.text) if c == " " and 0 < i < len(t.text) - 1]
    if not spaces or rng.random() > MEASURED["cut at blank"] * (1 + badness):
        return [t]
    at = rng.choice(spaces)
    first, second = t.text[:at].strip(), t.text[at:].strip()
    if not first or not second:
        return [t]
    width = t.w * at / len(t.text)
    roles = (t.role, t.role)
    if t.role == ROLE["codeName"]:
        kinds = [ROLE["drugCode"] if sum(c.isdigit() for c in part) >= 8 else ROLE["drugName"] for part in (first, second)]
        if kinds.count(ROLE["drugCode"]) != 1:
            return [t]
        if any(has_both(part) for part in (first, second)):
            kinds = [ROLE["codeName"] if has_both(p) else k for p, k in zip((first, second), kinds, strict=True)]
        roles = (kinds[0], kinds[1])
    elif t.role == ROLE["doses"] or (t.role in COUNTS and not any(c.isdigit() for c in first)):
        return [t]
    elif t.role == ROLE["drugCode"] and min(sum(c.isdigit() for c in p) for p in (first, second)) == 0:
        roles = tuple(ROLE["drugCode"] if any(c.isdigit() for c in p) else 0 for p in (first, second))
    made = []
    for text, x, w, role in ((first, t.x, width, roles[0]), (second, t.x + width + t.w / len(t.text), t.w - width - t.w / len(t.text), roles[1])):
        made.append(Token(text, x, t.y, max(0.2, w), t.h, role, t.line if role else -1, t.confidence, t.cell, t.known and role in (ROLE["drugCode"], ROLE["codeName"])))
    return made


def has_both(text: str) -> bool:
    digits = sum(c.isdigit() for c in text)
    return digits >= 9 and sum(0xAC00 <= ord(c) <= 0xD7A3 for c in text) >= 3


def joined(tokens: list[Token], rng: random.Random) -> list[Token]:
    """Neighbours so close that the reader finds one print."""
    rows = sorted(tokens, key=lambda t: (round(t.y, 1), t.x))
    made: list[Token] = []
    for t in rows:
        last = made[-1] if made else None
        same = last is not None and abs(last.y - t.y) < 0.3 and last.cell[5] == t.cell[5]
        gap = t.x - last.x - last.w if same else 9
        if same and -0.2 < gap < 0.75 and rng.random() < MEASURED["joined"] and (last.line == t.line or last.line < 0 or t.line < 0):
            pair = {last.role, t.role}
            if pair == {ROLE["drugCode"], ROLE["drugName"]}:
                role = ROLE["codeName"]
            elif pair <= COUNTS and len(pair) == 2 or (ROLE["doses"] in pair and pair - {ROLE["doses"]} <= COUNTS):
                role = ROLE["doses"]
            elif ROLE["codeName"] in pair or 0 in pair or last.role == t.role:
                role = max(pair) if pair <= {0, ROLE["drugCode"], ROLE["drugName"], ROLE["codeName"]} else last.role
            else:
                made.append(t)
                continue
            line = last.line if last.line >= 0 else t.line
            made[-1] = Token(f"{last.text} {t.text}", last.x, min(last.y, t.y), t.x + t.w - last.x, max(last.h, t.h), role, line if role else -1, last.confidence, last.cell, last.known or t.known)
        else:
            made.append(t)
    return made


def with_cells(tokens: list[Token], rng: random.Random) -> list[Token]:
    """Cells as the reader finds them: all, none, only those of rows or of columns, or without some rules between columns."""
    for table in {t.cell[0] for t in tokens if t.cell[0] >= 0}:
        fate = rng.choices(["all", "none", "rows", "columns", "some"], [68, 12, 7, 6, 7])[0]
        lost = {c for c in range(1, 20) if rng.random() < 0.25}
        for t in tokens:
            if t.cell[0] != table:
                continue
            _, row, column, _, _, _ = t.cell
            if fate == "none":
                t.cell = (-1, 0, 0, 0, 0, -1)
            elif fate == "rows":
                t.cell = (table, row, 0, 1, 1, table * 10000 + row * 50)
            elif fate == "columns":
                row = min(row, 1)
                t.cell = (table, row, column, 1, 1, table * 10000 + row * 50 + column)
            elif fate == "some":
                left = column
                while left in lost:
                    left -= 1
                t.cell = (table, row, left, 1, 1, table * 10000 + row * 50 + left)
    return tokens


__all__ = ["disturbed", "text_width"]
