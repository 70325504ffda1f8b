"""Prints as the network sees them. `functions/extraction/domain/learned/print-features.ts` does the same; a test compares the two."""

from __future__ import annotations

import math
import re

import numpy as np

IDS = 40
BUCKETS = 2048
NUMBERS = 20
NUMBER = re.compile(r"^-?\d[\d,]*(\.\d+)?$")
CODE = re.compile(r"(?<!\d)(?:880)?(0[5-9]\d\d|62\d\d|6[4-9]\d\d)\d{5}(?!\d{5})")


def bucket(text: str) -> int:
    h = 2166136261
    for c in text:
        h = ((h ^ (ord(c) & 0xFFFF)) * 16777619) & 0xFFFFFFFF
    return 1 + (h >> 5) % (BUCKETS - 1)


def ids_of(text: str) -> list[int]:
    """The whole text, its letters, and its pairs of letters with all digits alike; the first ones count, and none twice."""
    text = text.replace(" ", "").upper()
    alike = re.sub(r"\d", "0", text)
    parts = ["=" + text] if len(text) <= 12 else ["=long"]
    parts += [f"~{alike}"] if len(alike) <= 14 else []
    parts += [f"^{alike[:2]}", f"${alike[-2:]}"]
    parts += [alike[i : i + 2] for i in range(len(alike) - 1)]
    parts += list(text)
    seen = list(dict.fromkeys(bucket(p) for p in parts))
    return seen[:IDS]


def numbers_of(text: str, confidence: float, known: bool, w: float, h: float) -> list[float]:
    n = max(1, len(text))
    digits = sum("0" <= c <= "9" for c in text)
    hangul = sum(0xAC00 <= ord(c) <= 0xD7A3 for c in text)
    latin = sum("a" <= c <= "z" or "A" <= c <= "Z" for c in text)
    plain = text.replace(" ", "")
    pure = bool(NUMBER.match(plain))
    value = abs(float(plain.replace(",", ""))) if pure and len(plain) < 16 else 0.0
    is_code = bool(CODE.search(plain))
    return [
        min(n, 40) / 20, digits / n, hangul / n, latin / n, float("." in text), float("," in text), float(any(c in "/xX*×-" for c in text)), float(pure),
        float(is_code), float(digits >= 12), float(digits == n == 9), math.log10(1 + value) / 6, float(pure and value == math.floor(value)), float(pure and value == 1),
        float(pure and value <= 5), confidence, float(known), float("(" in text or "[" in text), float(":" in text), min(3.0, w / h / n),
    ]


def encode(tokens: list) -> dict[str, np.ndarray]:
    heights = sorted(t.h for t in tokens)
    unit = heights[len(heights) // 2]
    n = len(tokens)
    ids = np.zeros((n, IDS), np.int32)
    numbers = np.zeros((n, NUMBERS), np.float32)
    boxes = np.zeros((n, 4), np.float32)
    cells = np.zeros((n, 4), np.float32)
    for i, t in enumerate(tokens):
        some = ids_of(t.text)
        ids[i, : len(some)] = some
        numbers[i] = numbers_of(t.text, t.confidence, t.known, t.w, t.h)
        boxes[i] = (t.x / unit, t.y / unit, (t.x + t.w) / unit, (t.y + t.h) / unit)
        table, row, column, _, _, cell = t.cell
        cells[i] = (table, row, column, cell)
    return {"ids": ids, "numbers": numbers, "boxes": boxes, "cells": cells}
