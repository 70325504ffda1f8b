"""The classes of the recogniser and how a syllable is made of letters."""

from __future__ import annotations

BLANK = ""  # class 0 of CTC

# Marks of drug names, amounts and forms. The dictionary's order is part of the model: append, never reorder.
MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~·×÷±°℃㎎㎖㎍㎏㎝㎜㎡ℓ㏄αβγδμωⅠⅡⅢ→↓↑※○●□■△▲▶◆☆★②③①「」『』“”‘’…–—₩№™®"


def syllables() -> list[str]:
    """The 2,350 syllables of KS X 1001, in its order."""
    return [bytes((row, cell)).decode("euc_kr") for row in range(0xB0, 0xC9) for cell in range(0xA1, 0xFF)]


def charset() -> list[str]:
    """All classes in order: blank, digits, Latin, marks, syllables, and the space last (as PaddleOCR does)."""
    latin = [chr(c) for c in range(ord("A"), ord("Z") + 1)] + [chr(c) for c in range(ord("a"), ord("z") + 1)]
    return [BLANK, *"0123456789", *latin, *dict.fromkeys(MARKS), *syllables(), " "]


def jamo_of(char: str) -> tuple[int, int, int]:
    """(initial, medial, final) counted from 1, or zeros for anything that is not a syllable."""
    if len(char) != 1 or not 0xAC00 <= ord(char) <= 0xD7A3:
        return (0, 0, 0)
    code = ord(char) - 0xAC00
    return (code // 588 + 1, code % 588 // 28 + 1, code % 28 + 1)
