"""Pages that are never rendered: prints with boxes, cells and labels, in layouts of great breadth. Lengths are in letter heights."""

from __future__ import annotations

import random
import zlib

from drug_paper import DrugPaper
from paper import ROLE, Column, World, text_width
from roles import FIELDS, HEADERS
from vocabulary import ADVICE, ENGLISH_HEADERS, FEES, FEE_WORDS, FOREIGN_HEADERS, OTHER_GOODS, SYLLABLES, TITLES


class Page(DrugPaper):
    """Lists and blocks of drugs."""

    def list(self, left: float, ruled: bool, other_goods=False) -> float:
        """A list with one or more lines of print a drug; returns its right edge."""
        r, some = self.rng, self.some
        style = self.style()
        fields = self.columns(style)
        rows = r.choices([1, 2, 3, 5, 8, 12, 18], [7, 12, 18, 24, 20, 13, 6])[0]
        levels = r.choices([1, 2, 3], [74, 21, 5])[0]
        if levels > 1 and len(fields) < 3:
            levels = 1
        self.layout += f" {levels}-level {'ruled' if ruled else 'open'}"
        drugs = [self.drug(style) for _ in range(rows)]
        wrap = r.uniform(8, 20) if some(0.35) else None
        has_header = some(0.86)
        if not has_header:
            fields = readable_without_header(fields)
        # Fields by level of print; several levels may share columns.
        split: list[list[str]] = [[] for _ in range(levels)]
        if levels == 1:
            split[0] = fields
        else:
            at = sorted(r.sample(range(1, len(fields)), levels - 1)) if len(fields) >= levels else [1]
            for i, f in enumerate(fields):
                split[sum(i >= a for a in at)].append(f)
        self.shapes.append(f"{ruled} {has_header} {split}")
        # A pair of stacked fields in one column of a list with cells.
        stacked = levels > 1 and some(0.5)
        narrow = some(0.2)
        cut_code = some(0.6)
        pitch = r.uniform(2.4, 3.6) if narrow else r.uniform(1.25, 3.2)
        gap = r.uniform(0.5, 1.2) if narrow else r.uniform(0.8, 3.5)
        texts = [{f: (drug[f] if f in drug else self.foreign(f, n, drug)) for f in fields} for n, drug in enumerate(drugs)]
        if other_goods:
            for t in texts:
                for f in ("drugCode", "codeName"):
                    if f in t:
                        t[f] = r.choice([f"A{r.randrange(10000)}", str(r.randrange(10**6)), f"{r.randrange(10**8, 10**9)}"]) + (" " + r.choice(OTHER_GOODS) if f == "codeName" else "")
                if "drugName" in t:
                    t["drugName"] = r.choice(OTHER_GOODS)
        columns: list[list[Column]] = []
        for level in split:
            x, made = left, []
            for f in level:
                widest = max([text_width(t[f], self.ratio) for t in texts] + [1])
                if f in ("drugName", "codeName") and wrap:
                    widest = min(widest, wrap)
                header = self.header_of(f, style["billed"]) if has_header else None
                header_width = text_width(header, self.ratio) if header else 0
                lines = 2 if header_width > widest + (0.5 if narrow else 2) and len(header or "") > 1 and some(0.7) else 1
                width = max(widest, header_width / lines + 0.5) + gap * r.uniform(0.6, 1.5)
                numeric = f in FIELDS[2:] or f in ("dailyDose", "stock", "tax", "insured")
                align = r.choice(["right", "center", "right"]) if numeric else r.choice(["left", "left", "center"])
                made.append(Column(f, width, align, header, x))
                x += width
            columns.append(made)
        if stacked or (levels > 1 and ruled):
            # The levels share the places of their columns.
            places = max(len(c) for c in columns)
            widths = [max(c[i].width for c in columns if i < len(c)) for i in range(places)]
            for c in columns:
                x = left
                for i, column in enumerate(c):
                    column.x, column.width = x, widths[i]
                    x += widths[i]
        right = max(c[-1].x + c[-1].width for c in columns if c)
        table = self.tables if ruled else -1
        self.tables += ruled
        grid_row = 0
        y = self.y

        def cell(column: int, row: int) -> tuple[int, int, int, int, int, int] | None:
            return (table, row, column, 1, 1, table * 10000 + row * 50 + column) if ruled else None

        def place(text: str, column: Column) -> float:
            free = column.width - text_width(text, self.ratio) - 0.5
            return column.x + 0.25 + {"left": 0, "center": free / 2, "right": free}[column.align]

        if has_header:
            group = some(0.08) and levels == 1 and len(fields) > 4
            if group:
                at = r.randrange(1, len(fields) - 2)
                self.put(r.choice(["투약내역", "처방", "급여", "용법용량", "조제투약량"]), columns[0][at].x + 1, y, cell=cell(at, 0))
                y += pitch
                grid_row += 1
            tall = 1
            for level, made in enumerate(columns):
                for i, column in enumerate(made):
                    role = ROLE.get(HEADERS.get(column.field, "none"), 0) if not other_goods else 0
                    word = column.header or ""
                    parts = [word]
                    if text_width(word, self.ratio) > column.width - 0.4 and len(word) > 1:
                        at = len(word) // 2
                        parts = [word[:at].strip(), word[at:].strip()]
                    elif some(0.04) and column.field in ENGLISH_HEADERS:
                        parts = [word, ENGLISH_HEADERS[column.field]]
                    tall = max(tall, len(parts))
                    for k, part in enumerate(parts):
                        align = Column(column.field, column.width, r.choice(["center", "center", column.align]), None, column.x)
                        self.put(part, place(part, align), y + level * pitch + k * 1.15 + (0.5 if len(parts) == 1 and tall > 1 else 0), role, cell=cell(i, grid_row))
            y += levels * pitch + (tall - 1) * 1.15 + r.uniform(0, 1)
            grid_row += 1
        between = r.uniform(0, 0.8) if levels > 1 else 0
        section_at = r.randrange(rows) if some(0.15) else -1
        fee_rate = r.choice([0, 0, 0, 0.2, 0.4, 0.9])
        for n, text in enumerate(texts):
            if n == section_at:
                self.put(r.choice(FEE_WORDS), left + r.uniform(0, 3), y, cell=cell(0, grid_row))
                y += pitch
                grid_row += 1
            if some(fee_rate):
                self.fee(columns, y, place, grid_row, cell)
                y += pitch * levels
                grid_row += 1
            line = -1 if other_goods else self.lines
            self.lines += not other_goods
            if not other_goods:
                self.rows.append(self.row_of(drugs[n], [f for f in fields if f in drugs[n]]))
            deepest = 0.0
            v_align = r.choice([0, 0, 0.5])
            for level, made in enumerate(columns):
                for i, column in enumerate(made):
                    value = text[column.field]
                    if narrow and column.field in ("quantity", "timesPerDay", "days") and value[-1:] in "정일회포번캡T" and value[:-1] and some(0.6):
                        below = len(value.rstrip("정일회포번캡슐T 분"))
                        self.value(value[:below], place(value[:below], column), y + level * pitch - 0.55, column.field, 0 if other_goods else 1, line, cell(i, grid_row), drugs[n], 0)
                        self.put(value[below:].strip(), place(value[below:].strip(), column), y + level * pitch + 0.6, 0, cell=cell(i, grid_row))
                        continue
                    if column.field == "drugCode" and style["grouped"] and cut_code:
                        parts = self.code_over_two_lines(value)
                    else:
                        parts = self.wrapped(value, column.width) if column.field in ("drugName", "codeName", "maker", "usage") else [value]
                    deepest = max(deepest, (len(parts) - 1) * 1.2)
                    for k, part in enumerate(parts):
                        self.value(part, place(part, column), y + level * pitch + k * 1.2, column.field, 0 if other_goods else 1, line, cell(i, grid_row), drugs[n], k)
            if deepest and v_align:
                for token in self.tokens:
                    if line >= 0 and token.line == line and token.role not in (ROLE["drugName"], ROLE["codeName"]):
                        token.y += deepest * v_align
            y += pitch * levels + deepest + between
            grid_row += 1
        if some(0.35):
            for column in columns[-1]:
                if column.field in ("totalAmount", "insured", "tax", "prescribedQty") and some(0.8):
                    total = f"{r.randrange(1000, 3000000):,}"
                    self.put(total, place(total, column), y, ROLE["total"] if column.field == "totalAmount" and not other_goods else 0, cell=cell(columns[-1].index(column), grid_row))
            self.put(r.choice(["합계", "합 계", "총계", "TOTAL", "소계", "계"]), left + r.uniform(0, 4), y, cell=cell(0, grid_row))
            y += pitch
        elif some(0.15):
            self.put(r.choice(["이하여백", "--- 이하 여백 ---", "** 끝 **"]), left + r.uniform(0, 15), y, cell=cell(0, grid_row))
            y += pitch
        self.y = y
        return right

    def value(self, text: str, x: float, y: float, kind: str, is_drug: int, line: int, cell, drug: dict, part: int) -> None:
        role = ROLE.get(kind, 0) if is_drug else 0
        if part > 0 and kind == "codeName":
            role = ROLE["drugName"] if is_drug else 0
        known = kind in ("drugCode", "codeName") and part == 0 and drug.get("listed") == "1" and bool(is_drug)
        self.put(text, x, y, role, line if role else -1, cell, known)

    def fee(self, columns, y: float, place, row: int, cell) -> None:
        r = self.rng
        code, name = r.choice(FEES)
        if self.some(0.5):
            code = r.choice("ABCDEFGJKLMNSUXZ") + r.choice(["", r.choice("ABCDN")]) + str(r.randrange(100, 99999))
            name = r.choice([name, "".join(r.choice(SYLLABLES) for _ in range(r.randrange(3, 9))) + r.choice(["검사", "촬영", "처치", "료", "술", " 1매", "(1일당)"]), r.choice(OTHER_GOODS)])
        amount = r.randrange(300, 30000)
        values = {"drugCode": code, "drugName": name, "codeName": f"{code} {name}", "quantity": "1", "timesPerDay": "1", "days": "1", "prescribedQty": "1", "unitPrice": f"{amount:,}", "totalAmount": f"{amount:,}"}
        for made in columns:
            for i, column in enumerate(made):
                value = values.get(column.field) if column.field in values else self.foreign(column.field, row, {}) if column.field in FOREIGN_HEADERS else ""
                if value:
                    self.put(value, place(value, column), y, cell=cell(i, row))

    def checks(self, left: float) -> None:
        """What a check of the prescription says of drugs of other days: their codes, without numbers."""
        r = self.rng
        for _ in range(r.randrange(1, 4)):
            code, _, _, _, *names = r.choice(self.world.drugs)
            text = r.choice(["[DUR 점검결과]", "사유코드: A", "F/복용기간이 중복되지 않는 경우", r.choice(names)])
            sign, known = f"JT{r.randrange(1, 30):03d}", self.some(0.8)
            if self.some(0.5):
                self.put(f"{sign} {code} {text}", left, self.y, known=known)
            else:
                for word in (sign, code, text):
                    token = self.put(word, left, self.y, known=known and word == code)
                    left += (token.w if token else 0) + r.uniform(0.5, 2)
            self.y += r.uniform(1.2, 2)

    # --- drugs as blocks of labelled values

    def blocks(self) -> None:
        r, some = self.rng, self.some
        style = self.style()
        is_guide = some(0.5)
        style["dose"] = is_guide or some(0.85)
        if some(0.6 if is_guide else 0.3):
            style.update(words=True, count_words=True, unit_behind=True)
        advice = r.choice([0, 0.3, 0.8] if is_guide else [0, 0, 0.3, 0.8])
        beside = some(0.3)
        across = r.choice([1, 1, 1, 2, 3])
        rows = r.randrange(1, 6)
        width = r.uniform(22, 34)
        labelled = some(0.3 if is_guide else 0.7)
        fields = self.guide_columns() if is_guide else [f for f in self.columns(style) if f not in ("check", "serial")]
        if not labelled:
            fields = readable_without_header(fields)
        # A frame around each block.
        framed = some(0.3)
        table = self.tables if framed else -1
        self.tables += framed
        above = some(0.4)
        side_by_side = some(0.5)
        glued = some(0.35)
        self.layout += f" blocks-{across} {'labelled' if labelled else 'bare'}"
        self.shapes.append(f"blocks {across} {labelled} {side_by_side} {glued} {fields}")
        labels = {f: self.header_of(f, style["billed"]) for f in fields}
        pitch = r.uniform(1.25, 2.2)
        y = self.y
        places = [f for f in fields if f in ("drugCode", "drugName", "codeName")]
        rest = [f for f in fields if f not in places]
        for row in range(rows):
            bottom = y
            for b in range(across):
                x, at = b * width, y
                first = len(self.tokens)
                drug = self.drug(style)
                line = self.lines
                self.lines += 1
                self.rows.append(self.row_of(drug, [f for f in fields if f in drug]))
                if some(0.2):
                    self.put(f"{r.choice(['①', '②', '1.', '2.', '◎', '■'])}", x - 1.5, at)
                for f in places:
                    for k, part in enumerate(self.wrapped(drug[f], width - 1)):
                        label = labels[f] if labelled and some(0.25) and k == 0 else None
                        start = x
                        if label:
                            self.put(label + ":", x, at, ROLE.get(HEADERS.get(f, "none"), 0))
                            start = x + text_width(label, self.ratio) + 1
                        self.value(part, start, at, f, 1, line, None, drug, k)
                        at += pitch
                for _ in range(2 if above else 0):
                    if some(advice):
                        self.put(r.choice(ADVICE), x + r.choice([0, 0, 1]), at)
                        at += pitch
                step = (width - 2) / max(1, len(rest)) if side_by_side else 0
                for i, f in enumerate(rest):
                    value = drug[f] if f in drug else self.foreign(f, 0, drug)
                    role = ROLE.get(f, 0)
                    sx = x + i * max(step, 4) if side_by_side else x
                    sy = at if side_by_side else at + i * pitch
                    if labelled and beside and side_by_side and value:
                        self.put(labels[f], sx, sy, ROLE.get(HEADERS.get(f, "none"), 0))
                        self.put(value, sx + text_width(labels[f], self.ratio) + 0.5, sy, role, line if role else -1)
                    elif labelled and glued and value:
                        self.put(f"{labels[f]}{r.choice([' ', ': ', ':'])}{value}", sx, sy, role, line if role else -1)
                    elif labelled and side_by_side:
                        self.put(labels[f], sx, sy, ROLE.get(HEADERS.get(f, "none"), 0))
                        self.put(value, sx + 0.5, sy + pitch, role, line if role else -1)
                    elif labelled:
                        self.put(labels[f], sx, sy, ROLE.get(HEADERS.get(f, "none"), 0))
                        self.put(value, sx + 9, sy, role, line if role else -1)
                    else:
                        self.put(value, sx, sy, role, line if role else -1)
                used = (2 if labelled and not glued else 1) * pitch if side_by_side else len(rest) * pitch
                at += used
                for _ in range(0 if above else 2):
                    if some(advice):
                        self.put(r.choice(ADVICE), x + r.choice([0, 0, 1]), at)
                        at += pitch
                if framed:
                    for token in self.tokens[first:]:
                        token.cell = (table, row, b, 1, 1, table * 10000 + row * 50 + b)
                bottom = max(bottom, at)
            y = bottom + r.uniform(0.4, 3)
        self.y = y


def readable_without_header(fields: list[str]) -> list[str]:
    """The columns of a list without headers: counts in their usual order, a single one is the quantity, and one column of money is the price."""
    counts = [f for f in ("quantity", "dailyDose", "timesPerDay", "days", "prescribedQty") if f in fields]
    money = [f for f in ("unitPrice", "totalAmount") if f in fields]
    usual = iter((["quantity"] if counts == ["prescribedQty"] and "doses" not in fields else counts) + (["unitPrice"] if len(money) == 1 else money))
    return [next(usual) if f in (*counts, *money) else f for f in fields if f not in ("tax", "insured", "stock")]


def make_page(world: World, rng: random.Random) -> Page:
    page = Page(world, rng)
    left = rng.uniform(0, 20)
    if page.some(0.7):
        page.put(rng.choice(TITLES), left + rng.uniform(0, 30), page.y)
        page.y += rng.uniform(1.5, 5)
    page.around(left, left + 50, rng.choice([0, 0, 2, 4, 8, 14]))
    if page.some(0.35):
        page.form(left, page.some(0.6))
    page.y += rng.uniform(0.5, 4)
    kind = rng.random()
    page.layout = ""
    if kind < 0.12:
        page.layout = "negative"
        if page.some(0.7):
            page.list(left, page.some(0.5), other_goods=True)
        else:
            for _ in range(rng.randrange(2, 6)):
                page.form(left, page.some(0.5))
    elif kind < 0.3:
        page.blocks()
    else:
        right = page.list(left, page.some(0.52))
        if page.some(0.2):
            # Another list: below, or of other goods beside it.
            if page.some(0.3):
                bottom, page.y = page.y, page.y - rng.uniform(2, 8)
                page.list(right + rng.uniform(3, 8), page.some(0.5), other_goods=page.some(0.4))
                page.y = max(page.y, bottom)
            else:
                page.y += rng.uniform(1.5, 5)
                page.list(left, page.some(0.5), other_goods=page.some(0.35))
    page.y += rng.uniform(0.5, 3)
    if page.some(0.08):
        page.checks(left + rng.uniform(0, 6))
    page.around(left, left + 50, rng.choice([0, 0, 2, 5, 9]))
    return page


def is_kept_apart(page: Page) -> bool:
    """Whether it shows a shape of list that no training sees: its columns in their order and levels, with or without headers and rules."""
    return any(zlib.crc32(shape.encode()) % 8 == 0 for shape in page.shapes)
