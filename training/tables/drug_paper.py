"""Values of drugs and columns that a paper may have."""

from __future__ import annotations

from paper import Paper
from roles import FIELDS
from vocabulary import BILLED_HEADERS, ENGLISH_HEADERS, FOREIGN, FOREIGN_HEADERS, MARKS, NOTES, UNITS, USAGE


def standard_code(code: str) -> str:
    """880, the nine digits of the code, and the check digit of GS1."""
    digits = f"880{code}"
    total = sum(int(d) * (1 if i % 2 else 3) for i, d in enumerate(reversed(digits)))
    return f"{digits}{-total % 10}"


# Columns that hold several fields.
PARTS = {"codeName": ("drugCode", "drugName"), "doses": ("quantity", "timesPerDay", "days")}


class DrugPaper(Paper):
    """Drugs as papers print them: styles, values and headers of columns."""

    def drug(self, style: dict) -> dict:
        r = self.rng
        if self.some(0.93):
            code, price, maker, listed, *names = r.choice(self.world.drugs)
        else:
            code, price, maker, listed = f"6{r.choice([2, 4, 5, 6])}{r.randrange(10**7):07d}", str(r.randrange(20, 3000)), "무명제약(주)", "0"
            names = [r.choice(self.world.drugs)[4]]
        name = r.choice(names)
        if style["no_brackets"]:
            name = name.split("(")[0] or name
        qty = r.choice([1, 1, 1, 1, 2, 0.5, 3, 1.5, 0.25, 10, 0.33, 5, 20, 0.75]) if style["dose"] else r.choice([1, 2, 3, 6, 10, 30, 60, 90, 100, 300, 1000, r.randrange(1, 3000)])
        times = 1 if style["billed"] else r.choice([1, 1, 2, 2, 3, 3, 3, 4])
        days = r.choice([1, 3, 3, 5, 7, 7, 14, 28, 30, 30, 60, 90, 2])
        daily = round(qty * times, 4)
        total = round(daily * days, 3) if style["dose"] else qty
        won = float(price or r.randrange(10, 2000)) * (1 if style["dose"] else style["pack"])
        amount = round(won * total)
        if style["dose"] and style["amount_per_dose"]:
            amount = round(won * qty * (times if self.some(0.5) else 1))

        def number(v: float, money=False) -> str:
            if style["places"] and not money:
                return f"{v:.{style['places']}f}"
            s = f"{v:g}" if v < 1e6 else str(int(v))
            if (money or v >= 1000) and style["commas"]:
                return f"{v:,.{0 if float(v).is_integer() else 2}f}"
            return s if v < 1e6 else str(int(v))

        unit = r.choice(["", " "]) + r.choice(UNITS) if style["unit_behind"] else ""
        mark = (r.choice(MARKS) + r.choice(["", " "])) if style["mark"] and self.some(0.8) else ""
        won_mark = style["won"]
        printed_code = standard_code(code) if style["standard"] else code
        shown_code = printed_code
        if style["grouped"]:
            shown_code = r.choice([" ", " ", "."]).join([shown_code[:3], shown_code[3:6], shown_code[6:]])
        if style["bracket_code"]:
            shown_code = f"{style['bracket_code'][0]}{shown_code}{style['bracket_code'][1]}"
        if self.some(style["name_tail"]):
            name += r.choice([" (1정)", "(내복)", "/1T", " (분할가능)", " *", "(대체불가)", " 30T"])
        cut = style["cut_names"]
        if cut and len(name) > cut:
            name = name[:cut]
        values = {
            "drugCode": mark + shown_code if not style["mark_name"] else shown_code,
            "drugName": mark + name if style["mark_name"] else name,
            "codeName": mark + (shown_code + style["join"] + name if not style["name_first"] else name + style["join"] + f"({printed_code})"),
            "quantity": (style["each_words"][0] if style["words"] else "") + number(qty) + unit,
            "timesPerDay": (style["each_words"][1] if style["words"] else "") + number(times) + (r.choice(["회", "번"]) if style["count_words"] else ""),
            "days": (style["each_words"][2] if style["words"] else "") + str(days) + (r.choice(["일", "일분"]) if style["count_words"] else ""),
            "prescribedQty": number(total) + unit,
            "unitPrice": won_mark[0] + number(won, True) + won_mark[1],
            "totalAmount": won_mark[0] + number(amount, True) + won_mark[1],
            "dailyDose": number(daily),
            "doses": style["doses"].format(q=number(qty), t=number(times), d=days, u=unit),
            "maker": maker,
            "listed": listed,
        }
        if self.some(style["empty"]):
            values[r.choice(["quantity", "timesPerDay", "days", "unitPrice", "prescribedQty"])] = ""
        values["shown"] = {"drugCode": printed_code, "drugName": name, "quantity": number(qty), "timesPerDay": number(times), "days": str(days),
                           "prescribedQty": number(total), "unitPrice": number(won, True), "totalAmount": number(amount, True)}
        return values

    def row_of(self, drug: dict, fields: list[str]) -> dict:
        """What a line with these columns says of its drug: code and name, and numbers; None: not printed."""
        values = drug["shown"]
        shown = {part for f in fields for part in PARTS.get(f, (f,)) if drug[f] != ""}
        row = {f: values[f] if f in shown else None for f in ("drugCode", "drugName")}
        return row | {f: float(values[f].replace(",", "")) if f in shown else None for f in FIELDS[2:]}

    def style(self) -> dict:
        r = self.rng
        billed = self.some(0.07)
        return {
            "billed": billed, "dose": billed or self.some(0.72), "places": r.choices([0, 1, 2, 4], [75, 10, 8, 7])[0], "commas": self.some(0.75), "unit_behind": self.some(0.15),
            "mark": self.some(0.18), "mark_name": self.some(0.4), "won": r.choices([("", ""), ("₩", ""), ("", "원"), ("\\", "")], [85, 5, 7, 3])[0],
            "standard": self.some(0.07), "grouped": self.some(0.06), "bracket_code": r.choices([None, "[]", "()", "<>"], [85, 8, 6, 1])[0],
            "name_tail": r.choice([0, 0, 0.2]), "cut_names": r.choices([0, r.randrange(8, 22)], [70, 30])[0], "join": r.choice([" ", " ", "  ", "/", ") ", "_", ""]),
            "name_first": self.some(0.2), "words": self.some(0.07), "each_words": r.choice([("1회 ", "1일 ", "총 "), ("1회", "하루", ""), ("", "하루 ", "")]), "count_words": self.some(0.15),
            "doses": r.choice(["{q}/{t}/{d}", "{q}{u} x {t}회 x {d}일", "{q} * {t} * {d}", "1회 {q}{u} 1일 {t}회 {d}일분", "{q}-{t}-{d}", "{q}{u}씩 {t}회 {d}일분", "{q} {t} {d}"]),
            # Wholesalers: what a price is for, in tablets.
            "pack": r.choice([1, 1, 1, 10, 30, 100, 300, 500]),
            "no_brackets": self.some(0.4), "amount_per_dose": self.some(0.06), "empty": r.choice([0, 0, 0, 0.1]),
        }

    def foreign(self, kind: str, n: int, drug: dict) -> str:
        r = self.rng
        return {
            "serial": lambda: r.choice([str(n + 1), str(n + 1), f"{n + 1}.", f"{n + 1:02d}"]), "maker": lambda: drug.get("maker", "한빛제약"),
            "spec": lambda: r.choice(["100T", "30정", "500mL", "1g*10", "1정", "0.1g/1정", "10포", "28T", "1mL/관", "5mg"]), "unit": lambda: r.choice(UNITS),
            "usage": lambda: r.choice(USAGE), "note": lambda: r.choice(NOTES), "category": lambda: r.choice(["급여", "비급여", "보험", "100/100", "원외", "내복", "O"]),
            "date": lambda: f"{r.choice(['2026-', '26.', '2026/', ''])}{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d}", "lot": lambda: f"{r.choice('ABKLT')}{r.randrange(10**5):05d}",
            "expiry": lambda: f"20{r.randrange(26, 31)}.{r.randrange(1, 13):02d}", "stock": lambda: str(r.randrange(0, 900)),
            "ingredient": lambda: f"{r.randrange(100000, 700000)}{r.choice(['ATB', 'ACH', 'BIJ', 'ATR', 'ASY'])}", "route": lambda: r.choice(["내복", "외용", "PO", "주사", "경구", "IV"]),
            "ratio": lambda: r.choice(["30", "100", "80", "5", "30%"]), "doctor": lambda: r.choice(["김의사", "이정민", "박선생", "Dr.Lee"]), "barcode": lambda: f"880{r.randrange(10**10):010d}",
            "tax": lambda: f"{r.randrange(10, 90000):,}", "check": lambda: r.choice(["V", "□", "O", "", "✓"]), "sub": lambda: r.choice(["01", "03", "04", "1", "2", "3", "A", "621", "214"]),
            "insured": lambda: f"{r.randrange(100, 90000):,}", "clock": lambda: f"{r.randrange(24):02d}:{r.choice(['00', '30'])}",
        }[kind]()

    # --- which columns, in which order

    def columns(self, style: dict) -> list[str]:
        r = self.rng
        some = self.some
        fields: list[str] = []
        if style["billed"]:
            return self.billed_columns()
        if some(0.16):
            fields += ["codeName"]
        else:
            has_code = some(0.8)
            fields += ["drugCode"] if has_code else []
            fields += ["drugName"] if not has_code or some(0.94) else []
            if some(0.2):
                fields.reverse()
        if style["dose"]:
            if some(0.1):
                fields += ["doses"]
            else:
                counts = [f for f, p in (("quantity", 0.93), ("dailyDose", 0.08), ("timesPerDay", 0.72), ("days", 0.88)) if some(p)]
                if some(0.1):
                    r.shuffle(counts)
                fields += counts
            fields += ["prescribedQty"] if some(0.3) else []
        else:
            fields += [r.choice(["quantity", "quantity", "prescribedQty"])]
        money = [f for f, p in (("unitPrice", 0.45), ("totalAmount", 0.5)) if some(p)]
        if some(0.15):
            at = r.randrange(len(fields) + 1)
            fields[at:at] = money
        else:
            fields += money
        for kind in r.sample(FOREIGN, min(len(FOREIGN), r.choices([0, 1, 2, 3, 5, 8], [22, 22, 22, 16, 12, 6])[0])):
            at = 0 if kind in ("serial", "check") and some(0.8) else r.randrange(len(fields) + 1)
            fields.insert(at, kind)
        if some(0.1):
            r.shuffle(fields)
        if "serial" not in fields and some(0.2):
            fields.insert(0, "serial")
        return fields

    def guide_columns(self) -> list[str]:
        """Of what a pharmacy hands to the patient: how much, how often and how long, and no prices."""
        fields = ["codeName"] if self.some(0.15) else ["drugCode", "drugName"] if self.some(0.25) else ["drugName"]
        return fields + (["doses"] if self.some(0.4) else ["quantity", "timesPerDay", "days"])

    def billed_columns(self) -> list[str]:
        """Of an itemised bill: the price first, then how often and for how many days."""
        fields = ["drugCode", "drugName"] if self.some(0.8) else ["codeName"]
        fields += ["unitPrice", "quantity"] + (["days"] if self.some(0.8) else []) + ["totalAmount"]
        fields += self.rng.sample(["insured", "ratio", "note"], self.rng.randrange(3))
        return self.rng.sample(["date", "sub", "category"], self.rng.randrange(3)) + fields

    def header_of(self, kind: str, billed=False) -> str:
        r = self.rng
        if kind in FOREIGN_HEADERS:
            return r.choice(FOREIGN_HEADERS[kind]) if self.some(0.75) else r.choice(self.world.headers["other"])
        if kind == "codeName":
            return r.choice(["처방의약품의 명칭", "약품명", "의약품 명칭 및 코드", "품명", "처방내역", "코드 / 약품명"])
        if kind == "doses":
            return r.choice(["용량/횟수/일수", "투약", "용법", "1회/1일/일수", "처방"])
        if kind in ENGLISH_HEADERS and self.some(0.06):
            return ENGLISH_HEADERS[kind]
        if billed and kind in BILLED_HEADERS:
            return r.choice(BILLED_HEADERS[kind])
        word = r.choice(self.world.headers[kind])
        if self.some(0.06) and len(word) <= 3:
            return " ".join(word)
        return word
