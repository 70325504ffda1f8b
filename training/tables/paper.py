"""Papers without drugs, as prints with boxes, cells and labels. Lengths are in letter heights."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from roles import ROLES
from vocabulary import ADVICE, COMMON, FEE_WORDS, OTHER_GOODS, SURROUNDINGS, SYLLABLES, USAGE

ROLE = {name: i for i, name in enumerate(ROLES)}


@dataclass
class Token:
    text: str
    x: float
    y: float
    w: float
    h: float
    role: int = 0
    # Number of its drug's line; -1: none.
    line: int = -1
    confidence: float = 0.97
    # Table, row, column, spans, number of the cell; -1: outside of every table.
    cell: tuple[int, int, int, int, int, int] = (-1, 0, 0, 0, 0, -1)
    known: bool = False


@dataclass
class Column:
    field: str
    width: float = 4
    align: str = "left"
    header: str | None = None
    x: float = 0


@dataclass
class World:
    drugs: list[list[str]]
    headers: dict[str, list[str]]
    foreign: list[str] = field(default_factory=list)

    @staticmethod
    def load(folder: str | Path) -> World:
        folder = Path(folder)
        drugs = [line.split("\t") for line in (folder / "drugs.tsv").read_text().splitlines()]
        headers: dict[str, list[str]] = {}
        for line in (folder / "headers.tsv").read_text().splitlines():
            kind, word = line.split("\t")
            headers.setdefault(kind, []).append(word)
        headers["dailyDose"] = ["1일투여량", "1일투약량", "1일량", "하루투여량", "1일 사용량", "일투여량"]
        headers["quantity"] = [w for w in headers["quantity"] if not w.startswith(("1일", "하루", "DAILY"))]
        # Short common words are on most papers: as often as all others.
        for kind, words in COMMON.items():
            headers[kind] = headers[kind] + words * (1 + len(headers[kind]) // (2 * len(words)))
        return World(drugs, headers)


def text_width(text: str, ratio: float) -> float:
    return max(0.15, sum(1.0 if ord(c) > 0x1100 else 0.3 if c in "1.,:il|'" else 0.55 for c in text) * ratio)


class Paper:
    """One page in the making: prints, words and grids that have nothing to do with drugs."""

    def __init__(self, world: World, rng: random.Random):
        self.world, self.rng = world, rng
        self.tokens: list[Token] = []
        self.tables = 0
        self.cells = 0
        self.lines = 0
        # What lists and blocks look like, whatever they say.
        self.shapes: list[str] = []
        # Code, name and numbers of each line.
        self.rows: list[dict] = []
        self.ratio = rng.uniform(0.75, 1.1)
        self.layout = "none"
        self.y = rng.uniform(0, 8)

    def some(self, chance: float) -> bool:
        return self.rng.random() < chance

    def put(self, text: str, x: float, y: float, role: int = 0, line: int = -1, cell=None, known=False) -> Token | None:
        if text == "":
            return None
        # Ink of digits is lower than that of Hangul.
        low = all(ord(c) < 0x1100 for c in text)
        h = 0.8 if low else 1.0
        token = Token(text, x, y + (0.1 if low else 0), text_width(text, self.ratio), h, role, line, known=known)
        if cell:
            token.cell = cell
        self.tokens.append(token)
        return token

    def words(self) -> str:
        """Print of any other matter: people, places, dates, numbers."""
        r = self.rng
        name = "".join(r.choice(SYLLABLES) for _ in range(r.choice([2, 3, 3, 4])))
        number = str(r.randrange(10 ** r.randrange(1, 9)))
        sex, years = r.choice("남여"), r.randrange(1, 95)
        return r.choice([
            name, name, f"{name} 님", f"{name}님", "님", f"({sex},", f"만 {years}세)", f"({sex}/{years})", f"{sex}", f"{years}세", f"{name}약국", f"{name}의원", f"{name}내과 의원", f"약사 {name}",
            f"{r.randrange(2, 99):02d}-{r.randrange(100, 9999)}-{r.randrange(10000):04d}", f"{r.randrange(2015, 2030)}년 {r.randrange(1, 13):02d}월 {r.randrange(1, 29):02d}일", f"{r.randrange(2015, 2030)}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d} {r.randrange(24):02d}:{r.randrange(60):02d}",
            number, f"{int(number):,}", f"{name} {number}", f"{name} : {number}", f"{name}번호", f"{name} {name}", f"{name}:", f"[{name}]", f"{r.choice('ABCDEFGHJK')}{number}", r.choice(ADVICE), r.choice(USAGE), f"{r.randrange(1, 9)}/{r.randrange(1, 9)}", r.choice(FEE_WORDS),
        ])

    def wrapped(self, text: str, width: float) -> list[str]:
        parts, rest = [], text
        while rest and text_width(rest, self.ratio) > width - 0.3 and len(parts) < 3:
            at = len(rest)
            while at > 1 and text_width(rest[:at], self.ratio) > width - 0.3:
                at -= 1
            blank = rest.rfind(" ", 1, at)
            at = blank if blank > 3 else at
            parts.append(rest[:at].strip())
            rest = rest[at:].strip()
        return [*parts, rest] if rest else parts

    def code_over_two_lines(self, code: str) -> list[str]:
        """A code in groups of digits, of which the last is below the others."""
        at = max(code.rfind(" "), code.rfind("."))
        return [code[:at], code[at + 1 :]] if at > 0 else [code]

    def around(self, left: float, right: float, count: int) -> None:
        for _ in range(count):
            text = self.rng.choice(SURROUNDINGS) if self.some(0.4) else self.words()
            self.put(text, self.rng.uniform(left, max(left + 1, right - 5)), self.y)
            if self.some(0.6):
                self.y += self.rng.uniform(1.2, 2.5)

    def form(self, left: float, ruled: bool) -> None:
        """A grid of labels and values about the patient."""
        r = self.rng
        table = self.tables if ruled else -1
        self.tables += ruled
        some_words = self.some(0.4)
        for row in range(r.randrange(1, 4)):
            x = left
            for column in range(r.randrange(2, 6)):
                text = r.choice(SURROUNDINGS + OTHER_GOODS) if some_words else self.words()
                self.put(text, x, self.y, cell=(table, row, column, 1, 1, table * 10000 + row * 50 + column) if ruled else None)
                x += text_width(text, self.ratio) + r.uniform(1, 5)
            self.y += r.uniform(1.3, 2.5)
