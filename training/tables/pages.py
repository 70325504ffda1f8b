"""Pages that are never rendered: prints with boxes, cells and labels, in layouts of great breadth. Lengths are in letter heights."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from roles import FIELDS, HEADERS, ROLES

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


COMMON = {
    "drugCode": ["약품코드", "보험코드", "코드", "EDI코드", "청구코드"],
    "drugName": ["약품명", "처방의약품의 명칭", "명칭", "품명", "처방명"],
    "quantity": ["1회투약량", "투약량", "수량", "1회 투여량", "용량", "1회량"],
    "timesPerDay": ["1일투여횟수", "횟수", "1일 투약횟수", "투여횟수"],
    "days": ["총투약일수", "일수", "투약일수", "총 투여일수"],
    "prescribedQty": ["총투여량", "총사용량", "총량", "총수량"],
    "unitPrice": ["단가", "약가", "상한가"],
    "totalAmount": ["금액", "총금액", "약품비"],
}
FOREIGN = ("serial maker spec unit usage note category date lot expiry stock ingredient route ratio doctor barcode tax check sub insured clock").split()
FOREIGN_HEADERS = {
    "serial": ["No", "연번", "순번", "번호", "NO.", "#"],
    "maker": ["제조사", "업체명", "제약사", "회사명", "판매원"],
    "spec": ["규격", "포장", "포장단위", "함량"],
    "unit": ["단위", "UNIT"],
    "usage": ["용법", "복용법", "투여방법", "SIG", "용 법"],
    "note": ["비고", "메모", "특정내역", "REMARK"],
    "category": ["급여", "구분", "급여구분", "보험", "원내외"],
    "date": ["처방일", "조제일자", "거래일", "일자"],
    "lot": ["제조번호", "LOT", "로트번호"],
    "expiry": ["유효기한", "사용기한", "유효기간"],
    "stock": ["재고", "현재고", "입고", "재고량"],
    "ingredient": ["주성분코드", "성분코드", "성분"],
    "route": ["투여경로", "경로", "제형"],
    "ratio": ["본인부담", "부담률", "할인", "인하율"],
    "doctor": ["처방의", "담당", "NURSE"],
    "barcode": ["바코드", "표준코드", "대표코드"],
    "tax": ["세액", "부가세"],
    "check": ["선택", "확인", "V"],
    "sub": ["분류", "항", "목", "구분코드"],
    "insured": ["공단부담금", "본인부담금", "급여액"],
    "clock": ["시간", "투약시간"],
}
UNITS = ["정", "캡슐", "포", "병", "mL", "g", "T", "C", "ml", "관", "매", "EA", "앰플", "tab", "cap"]
USAGE = ["식후 30분", "아침 점심 저녁", "1일 3회 식후 30분 복용", "취침전", "아침식후", "필요시", "하루 2번 아침, 저녁", "환부에 바르세요", "BID", "TID pc", "qd", "식전", "매 8시간마다"]
NOTES = ["", "", "", "냉장", "대체가능", "마약", "향정", "신규", "변경", "*", "DC", "산제", "N", "Y", "반품", "품절"]
TITLES = ["처방전", "약제비 계산서·영수증", "거래명세서", "진료비 세부산정내역", "조제약 복약안내", "EDI 청구내역", "처방내역", "투약기록지", "의약품 사용내역", "주문서", "복용 안내문", "약국제출용", "Order Sheet"]
SURROUNDINGS = [
    "환자성명 : 홍길동", "주민등록번호 800101-1******", "의료기관명칭 새봄의원", "전화번호 02-345-6789", "교부번호 제2026-03-12 00021호", "발행일 2026-03-04",
    "진료과 내과", "질병분류기호 J20.9", "면허번호 123456", "사업자등록번호 123-45-67890", "주소 서울특별시 종로구", "사용기간 교부일로부터 ( 7 )일간", "조제기관의 명칭", "약사 김약사",
    "요양기관번호 11223344", "Page 1 / 2", "담당자", "본 영수증은 소득공제용으로 사용하실 수 있습니다", "복용 중 이상이 있으면 의사와 상담하십시오", "건강보험 (O) 의료급여 ( )", "조회", "저장", "닫기", "인쇄",
    "환자번호", "00123456", "공급받는자", "공급자", "상호", "대표자", "합계", "1,230,000", "비고", "이전", "다음", "2026년 11월 3일", "14:23:05", "나이 45 / 남", "수납금액", "총진료비", "본인부담금", "카드", "현금",
]
FEES = [("AA154", "초진진찰료"), ("AA254", "재진진찰료"), ("Z1000", "약국관리료"), ("Z2000", "조제기본료"), ("Z3000", "복약지도료"), ("Z4103", "처방조제료"), ("Z5000", "의약품관리료"), ("KK010", "근육주사"), ("B1010", "일반혈액검사"), ("HA201", "흉부촬영"), ("MM070", "표층열치료")]
FEE_WORDS = ["소계", "합계", "내복약", "외용약", "주사제", "[원외처방]", "급여", "비급여", "이하여백", "-- 이하 여백 --", "처방 1", "투약료", "총 계"]
OTHER_GOODS = ["커피 원두 1kg", "A4 복사용지", "볼펜 0.5mm", "생수 2L", "사과 5kg", "노트북 거치대", "일회용 주사기", "마스크 KF94", "거즈 5x5", "소독용 에탄올", "혈액검사", "헤모글로빈", "총콜레스테롤", "크레아티닌", "단백질", "나트륨", "탄수화물", "김밥", "아메리카노", "배송비", "택시", "월급", "수수료"]
ADVICE = [
    "[항생제-세균 감염 치료]", "음주를 피하고 서늘한 곳에 보관하세요.", "이상 반응이 있으면 의사 또는 약사와 상의하세요.", "정해진 시간에 규칙적으로 복용하세요", "졸음이 올 수 있습니다", "[해열, 진통, 소염제]", "충분한 물과 함께 드십시오",
    "임의로 복용을 중단하지 마세요.", "하루 4회 이상 복용하지 마세요 (최대 3,000mg)", "흰색의 원형 정제", "[위산 분비 억제]", "혈압을 낮추는 약", "식전에 복용", "어린이의 손이 닿지 않는 곳에 보관", "운전에 주의하세요", "2~8도 냉장보관", "자몽주스와 함께 먹지 마세요",
]
SYLLABLES = "가강경고광구국권규균근기길김나남노다대덕도동두라란래로류린마만명모무문미민바박배백병보복봉부비사산상서석선설성세소송수숙순승시신아안애양어연영예오옥완용우운원월유윤은을의이인일임자장재전정제조종주준중지진창채천철청초최춘충치태택평표하학한해현형혜호홍화환회효후훈희"
MARKS = ["비)", "(급)", "[비급여]", "급여", "*", "[급]", "보)", "@", "●", "▶", "(비)", "[비]", "1)", "·"]
ENGLISH_HEADERS = {"drugCode": "CODE", "drugName": "Drug Name", "quantity": "Dose", "timesPerDay": "Freq", "days": "Days", "prescribedQty": "Total", "unitPrice": "Price", "totalAmount": "Amount"}


def text_width(text: str, ratio: float) -> float:
    return max(0.15, sum(1.0 if ord(c) > 0x1100 else 0.3 if c in "1.,:il|'" else 0.55 for c in text) * ratio)


class Page:
    """One page in the making."""

    def __init__(self, world: World, rng: random.Random):
        self.world, self.rng = world, rng
        self.tokens: list[Token] = []
        self.tables = 0
        self.cells = 0
        self.lines = 0
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

    # --- values of a drug

    def drug(self, style: dict) -> dict[str, str]:
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
        times = r.choice([1, 1, 2, 2, 3, 3, 3, 4])
        days = r.choice([1, 3, 3, 5, 7, 7, 14, 28, 30, 30, 60, 90, 2])
        daily = round(qty * times, 4)
        total = round(daily * days, 3) if style["dose"] else qty
        won = float(price or r.randrange(10, 2000))
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
        shown_code = f"880{code}{r.randrange(10)}" if style["standard"] else code
        if style["grouped"]:
            shown_code = " ".join([shown_code[:3], shown_code[3:6], shown_code[6:]])
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
            "codeName": mark + (shown_code + style["join"] + name if not style["name_first"] else name + style["join"] + f"({code})"),
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
        return values

    def style(self) -> dict:
        r = self.rng
        return {
            "dose": self.some(0.72), "places": r.choices([0, 1, 2, 4], [75, 10, 8, 7])[0], "commas": self.some(0.75), "unit_behind": self.some(0.15),
            "mark": self.some(0.18), "mark_name": self.some(0.4), "won": r.choices([("", ""), ("₩", ""), ("", "원"), ("\\", "")], [85, 5, 7, 3])[0],
            "standard": self.some(0.07), "grouped": self.some(0.03), "bracket_code": r.choices([None, "[]", "()", "<>"], [85, 8, 6, 1])[0],
            "name_tail": r.choice([0, 0, 0.2]), "cut_names": r.choices([0, r.randrange(8, 22)], [70, 30])[0], "join": r.choice([" ", " ", "  ", "/", ") ", "_", ""]),
            "name_first": self.some(0.2), "words": self.some(0.07), "each_words": r.choice([("1회 ", "1일 ", "총 "), ("1회", "하루", ""), ("", "하루 ", "")]), "count_words": self.some(0.15),
            "doses": r.choice(["{q}/{t}/{d}", "{q}{u} x {t}회 x {d}일", "{q} * {t} * {d}", "1회 {q}{u} 1일 {t}회 {d}일분", "{q}-{t}-{d}", "{q}{u}씩 {t}회 {d}일분", "{q} {t} {d}"]),
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
        return fields

    def header_of(self, kind: str) -> str:
        r = self.rng
        if kind in FOREIGN_HEADERS:
            return r.choice(FOREIGN_HEADERS[kind]) if self.some(0.75) else r.choice(self.world.headers["other"])
        if kind == "codeName":
            return r.choice(["처방의약품의 명칭", "약품명", "의약품 명칭 및 코드", "품명", "처방내역", "코드 / 약품명"])
        if kind == "doses":
            return r.choice(["용량/횟수/일수", "투약", "용법", "1회/1일/일수", "처방"])
        if kind in ENGLISH_HEADERS and self.some(0.06):
            return ENGLISH_HEADERS[kind]
        word = r.choice(self.world.headers[kind])
        if self.some(0.06) and len(word) <= 3:
            return " ".join(word)
        return word

    # --- lists in columns

    def list(self, left: float, ruled: bool, other_goods=False) -> float:
        """A list with one or more lines of print a drug; returns its right edge."""
        r, some = self.rng, self.some
        style = self.style()
        fields = self.columns(style)
        rows = r.choices([1, 2, 3, 5, 8, 12, 18], [7, 12, 18, 24, 20, 13, 6])[0]
        levels = r.choices([1, 2, 3], [74, 21, 5])[0]
        if levels > 1 and len(fields) < 3:
            levels = 1
        self.layout += f" {levels}-level {'ruled' if ruled else 'open'}{' unnumbered' if False else ''}"
        drugs = [self.drug(style) for _ in range(rows)]
        wrap = r.uniform(8, 20) if some(0.35) else None
        has_header = some(0.86)
        # Fields by level of print; several levels may share columns.
        split: list[list[str]] = [[] for _ in range(levels)]
        if levels == 1:
            split[0] = fields
        else:
            at = sorted(r.sample(range(1, len(fields)), levels - 1)) if len(fields) >= levels else [1]
            for i, f in enumerate(fields):
                split[sum(i >= a for a in at)].append(f)
        # A pair of stacked fields in one column of a list with cells.
        stacked = levels > 1 and some(0.5)
        narrow = some(0.2)
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
                header = self.header_of(f) if has_header else None
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
            top = y
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
            del top
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

    # --- drugs as blocks of labelled values

    def blocks(self) -> None:
        r, some = self.rng, self.some
        style = self.style()
        style["dose"] = some(0.85)
        if some(0.3):
            style.update(words=True, count_words=True, unit_behind=True)
        advice = r.choice([0, 0, 0.3, 0.8])
        beside = some(0.3)
        fields = [f for f in self.columns(style) if f not in ("check", "serial")]
        across = r.choice([1, 1, 1, 2, 3])
        rows = r.randrange(1, 6)
        width = r.uniform(22, 34)
        labelled = some(0.7)
        side_by_side = some(0.5)
        glued = some(0.35)
        self.layout += f" blocks-{across} {'labelled' if labelled else 'bare'}"
        labels = {f: self.header_of(f) for f in fields}
        pitch = r.uniform(1.25, 2.2)
        y = self.y
        places = [f for f in fields if f in ("drugCode", "drugName", "codeName")]
        rest = [f for f in fields if f not in places]
        for _ in range(rows):
            bottom = y
            for b in range(across):
                x, at = b * width, y
                drug = self.drug(style)
                line = self.lines
                self.lines += 1
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
                for _ in range(2):
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
                bottom = max(bottom, at + used)
            y = bottom + r.uniform(0.4, 3)
        self.y = y

    # --- everything else on the page

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
    elif kind < 0.26:
        page.blocks()
    else:
        right = page.list(left, page.some(0.52))
        if page.some(0.14):
            # Another list: below, or of other goods beside it.
            if page.some(0.3):
                bottom, page.y = page.y, page.y - rng.uniform(2, 8)
                page.list(right + rng.uniform(3, 8), page.some(0.5), other_goods=page.some(0.6))
                page.y = max(page.y, bottom)
            else:
                page.y += rng.uniform(1.5, 5)
                page.list(left, page.some(0.5), other_goods=page.some(0.35))
    page.y += rng.uniform(0.5, 3)
    page.around(left, left + 50, rng.choice([0, 0, 2, 5, 9]))
    return page
