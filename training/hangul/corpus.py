"""Text of the lines: composed drug names, headers, amounts, codes and plain words of Korean billing papers.

Most drug names are real ones, of the published list; the others are composed of random brands, so that unknown drugs are read as well.
`held_out` selects a vocabulary disjoint from training's: real names of the benchmark's untuned split, brands of other seeds, and the held-out
share of ingredients and phrases.
"""

from __future__ import annotations

import random
import zlib
from functools import cache
from pathlib import Path

from charset import jamo_of, syllables

INGREDIENTS = """도네페질염산염수화물 메틸프레드니솔론 아목시실린수화물 클라불란산칼륨 콜레칼시페롤 레바미피드 암브록솔염산염
록소프로펜나트륨수화물 발사르탄 글리메피리드 비소프롤롤푸마르산염 에르도스테인 이부프로펜 트라마돌염산염 시타글립틴인산염수화물
무피로신 메트포르민염산염 아토르바스타틴칼슘삼수화물 로수바스타틴칼슘 암로디핀베실산염 텔미사르탄 올메사르탄메독소밀 칸데사르탄실렉세틸
로사르탄칼륨 히드로클로로티아지드 클로피도그렐황산수소염 아스피린 실로스타졸 리바록사반 아픽사반 와파린나트륨 푸로세미드 스피로노락톤
카르베딜롤 프로프라놀롤염산염 아테놀롤 딜티아젬염산염 니페디핀 에제티미브 페노피브레이트 오메프라졸 에스오메프라졸마그네슘삼수화물
란소프라졸 판토프라졸나트륨세스키히드레이트 라베프라졸나트륨 파모티딘 라니티딘염산염 모사프리드시트르산염수화물 돔페리돈말레산염
메토클로프라미드염산염 이토프리드염산염 트리메부틴말레산염 스코폴라민부틸브롬화물 알마게이트 수크랄페이트수화물 비스무트시트르산염칼륨
세파클러수화물 세푸록심악세틸 세프포독심프록세틸 세프디니르 세픽심수화물 레보플록사신수화물 시프로플록사신염산염수화물 클래리트로마이신
아지트로마이신수화물 록시트로마이신 독시사이클린수화물 메트로니다졸 플루코나졸 이트라코나졸 테르비나핀염산염 아시클로버 발라시클로버염산염
오셀타미비르인산염 아세트아미노펜 덱시부프로펜 나프록센나트륨 멜록시캄 세레콕시브 아세클로페낙 디클로페낙나트륨 케토프로펜 잘토프로펜
에페리손염산염 티자니딘염산염 바클로펜 프레가발린 가바펜틴 카르바마제핀 레베티라세탐 발프로산나트륨 라모트리진 토피라메이트
에스시탈로프람옥살산염 설트랄린염산염 플루옥세틴염산염 파록세틴염산염수화물 둘록세틴염산염 미르타자핀 트라조돈염산염 부프로피온염산염
알프라졸람 로라제팜 디아제팜 클로나제팜 졸피뎀타르타르산염 쿠에티아핀푸마르산염 리스페리돈 올란자핀 아리피프라졸 할로페리돌
메만틴염산염 콜린알포세레이트 니세르골린 몬테루카스트나트륨 프란루카스트수화물 레보세티리진염산염 세티리진염산염 펙소페나딘염산염
로라타딘 베포타스틴베실산염 에바스틴 클로르페니라민말레산염 슈도에페드린염산염 덱스트로메토르판브롬화수소산염 아세틸시스테인 레보드로프로피진
살부타몰황산염 부데소니드 플루티카손프로피오네이트 포르모테롤푸마르산염수화물 테오필린 프레드니솔론 덱사메타손 히드로코르티손 데플라자코트
레보티록신나트륨수화물 메티마졸 글리클라지드 피오글리타존염산염 리나글립틴 빌다글립틴 다파글리플로진프로판디올수화물 엠파글리플로진
인슐린글라진 알렌드론산나트륨수화물 리세드론산나트륨 라록시펜염산염 칼시트리올 탐스로신염산염 두타스테리드 피나스테리드 솔리페나신숙신산염
미라베그론 톨테로딘타르타르산염 실데나필시트르산염 타다라필 알로푸리놀 페북소스타트 콜키신 메토트렉세이트 히드록시클로로퀸황산염 타크로리무스수화물
시클로스포린 미코페놀레이트모페틸 우르소데옥시콜산 실리마린 엔테카비르수화물 테노포비르디소프록실 폴산 피리독신염산염 티아민질산염 시아노코발라민
메코발라민 아스코르브산 산화마그네슘 탄산칼슘 황산제일철 폴리카르보필칼슘 락툴로오스 비사코딜 센노사이드 로페라미드염산염 디옥타헤드랄스멕타이트
겐타마이신황산염 토브라마이신 오플록사신 클린다마이신인산염 히알루론산나트륨 카르복시메틸셀룰로오스나트륨 도르졸라미드염산염 티몰롤말레산염
라타노프로스트 트라보프로스트 브리모니딘타르타르산염 리도카인염산염수화물 염화나트륨 포도당 염화칼륨 탄산수소나트륨 헤파린나트륨 에녹사파린나트륨
옥시토신 에피네프린 도파민염산염 미다졸람 프로포폴 온단세트론염산염수화물 라모세트론염산염 팔로노세트론염산염 이리노테칸 옥살리플라틴 카페시타빈
레트로졸 아나스트로졸 타목시펜시트르산염 비칼루타미드 이매티닙메실산염 게피티니브 은행엽건조엑스 애엽에탄올연조엑스 아이비엽건조엑스""".split()
FORMS = """정 정 정 정 정 정 캡슐 캡슐 연질캡슐 장용정 서방정 서방정 서방캡슐 구강붕해정 츄어블정 발포정 설하정 필름코팅정 장용캡슐 경질캡슐 시럽 건조시럽
현탁액 액 내복액 산 과립 세립 주 주사 주사액 주사제 점안액 점안현탁액 안연고 점이액 점비액 나잘스프레이 흡입액 에어로솔 연고 크림 겔 로션 외용액 패취
패치 첩부제 카타플라스마 플라스타 좌제 질정 질좌제 가글액 프리필드시린지주 펜주 바이알주 수액 이알서방정 오디정 에스알정 엑스알정 디티정 플러스정 듀오정
포르테정 에프정 큐정 원정 세미정 복합정 현탁용분말 건조분말 구강용해필름 트로키 껌 스프레이""".split()
MODIFIERS = "플러스 듀오 포르테 에스알 이알 엑스알 오디 콤비 원 큐 에이 비 에프 디 세미 맥스 골드 프로 키즈 베이비 네오 뉴 울트라 알파 베타 센".split()
UNITS_KO = "밀리그램 밀리그람 그램 그람 밀리리터 마이크로그램 단위 국제단위 퍼센트 만단위 억단위".split()
# What a program prints where it cuts a name that its column cannot hold.
CUT_MARKS = (".", "..", "..", "..", "...", "...", "…", "…", "…")
UNITS = "mg mg mg mg mg mg g mL ml mcg μg ㎎ ㎎ ㎖ ㎍ IU % L mEq KIU".split()
# Of a dose; letters that look like digits before all.
DOSE_UNITS = "정 정 T T T C C A V 개 cc mL gm g 캡슐 포 병 앰플 EA tab cap 회 일 일분".split()
PACKS = "정 캡슐 병 관 포 바이알 개 매 mL 앰플 튜브 키트 백 시린지 회 통 g".split()
HEADERS = """보험코드 약품코드 청구코드 EDI코드 제품코드 코드 표준코드 약품명 품명 처방명 제품명 약품명칭 의약품명 명칭 수량 1회투약량 1회량 투여량 1회투여량
횟수 1일투여횟수 1일횟수 투여횟수 일수 투약일수 총투여일수 투여일수 총사용량 총투여량 총수량 합계수량 총량 단가 보험가 상한가 약가 상한금액 금액 청구금액
합계금액 총금액 순번 번호 연번 No NO. 구분 규격 단위 제조사 제조회사 업체명 업소명 비고 급여 비급여 급여구분 용법 1일투여량 사용량 투약량 본인부담금 공단부담금
주성분코드 주성분명 분류 투여경로 합계 소계 총계 부가세 공급가액 세액 입고일 출고일 유효기간 제조번호 로트번호 거래일자 재고 단위수량 포장단위
1회 투약량 1일 투여횟수 총 투약일수 보험 코드 약품 코드 수 량 단 가 금 액 합 계 품 명 약 품 명 일 수""".split()
PHRASES = """영수증 거래명세서 사업자등록증 사업자등록번호 법인명 대표자 개업연월일 사업장소재지 업태 종목 합계 세금계산서 공급자 공급받는자 등록번호 상호 성명 주소
처방전 조제일자 교부번호 환자성명 주민등록번호 의료기관명칭 전화번호 팩스번호 면허번호 조제약사 약국명 조제기관 진료비 약제비 본인부담 총액 보험자부담금 발행일
약제비총액 청구내역서 의약품사용내역 월별사용량 사용기간 요양기관기호 요양기관명 담당자 연락처 이메일 계좌번호 예금주 은행 납부기한 납부금액 미수금 전월이월
입금액 잔액 이하여백 이하 여백 귀하 위와 같이 청구합니다 아래와 같이 계산합니다 합계금액 페이지 작성자 확인자 승인 결재 검수 인수자 서명 날인 도장 건강보험
의료급여 자동차보험 산업재해 일반 외래 입원 원외 원내 처방 조제 투약 주사 내복약 외용약 주사제 마약 향정 희귀 퇴장방지 저가 대체조제 급여기준 심사 평가 원
국민건강보험공단 건강보험심사평가원 식품의약품안전처 보건복지부 국세청 세무서 약국 의원 병원 종합병원 요양병원 한의원 치과 보건소 내과 외과 소아청소년과 정형외과
이비인후과 피부과 안과 산부인과 비뇨의학과 신경과 정신건강의학과 가정의학과 서울특별시 부산광역시 대구광역시 인천광역시 광주광역시 대전광역시 울산광역시 경기도
강원특별자치도 충청북도 충청남도 전북특별자치도 전라남도 경상북도 경상남도 제주특별자치도 강남구 서초구 송파구 종로구 중구 마포구 영등포구 도로명 번길 빌딩 층 호
도매 소매 제조 서비스 의약품 의료기기 화장품 건강기능식품 식후 30분 식전 취침전 하루 세번 아침 점심 저녁 필요시 복용 1일 3회 1회 1정 냉장보관 차광 실온보관""".split()
# Latin brand and generic names as order programs print them: letters that stand as close as ol, Cl, Pl and il look like Hangul vowels.
LATIN_ONSETS = "a ab ac al am ar at az b be bi bro c ca ce ci cla clo co cy d da de di do du e el en es ev f fe flu fo g ga gly h hy i ib in iso k ke l la le li lo lu m ma me mi mo mu n na ne ni no o ol om ox p pa pe pi pla pre pro q r ra re ri ro s sa se si so su t ta te ti to tra u ur v va ve vi w x xa z za zo zol".split()
LATIN_MIDDLES = "a al am an ba be bi ci cil co cle da de di do fa fe fi ga gli la le li lo lu ma me mi mo na ne ni no o pa pe pi ra re ri ro sa se si so ta te ti to tri va ve vi xa xi za zi zo".split()
LATIN_ENDINGS = "ol ol il il cl in ine ide ime one one ole pam lam pril tan sartan statin cillin mycin xacin vir zole prazole dipine olol gliptin formin mab nib pidem ll el al an en ium ate ax ex ix ox ac ic".split()
LATIN_FORMS = "Tab Tab. tab. TAB Cap Cap. cap. CAP Inj Inj. inj. INJ Syr Syr. Oint Cream Susp. Susp Soln Eye drop SR SR Tab. ER CR XR OD ODT Tab Gran. Powder Patch".split()
LATIN_SALTS = "HCl HCl Na K Ca besylate maleate tartrate sulfate acetate mesylate succinate hydrate".split()
MAKER_STEMS = "제약 약품 파마 바이오 헬스케어 메디칼 생명과학 팜 바이오팜 신약 양행 케미칼 사이언스 테라퓨틱스 코리아 약업 제약공업".split()
# Syllables that transliterated brand names are mostly made of.
COMMON = """가 갈 게 겔 고 골 그 글 기 긴 나 날 네 넥 노 놀 누 뉴 니 닌 다 단 덱 데 도 돈 두 드 디 딘 딜 라 락 란 람 레 렉 렌 로 록 론 루 르 리 린 릴 림 마 막 만 메 멕 멜
모 무 미 민 바 반 발 베 벡 벤 벨 보 볼 부 브 비 빈 빌 빅 사 산 살 세 섹 센 셀 소 솔 수 쉐 슈 스 시 신 실 심 써 쎄 아 안 알 암 액 에 엑 엘 오 옥 올 와 우 울 유 으 이 인 일 자 잘 잔 잠 제 젠
젤 조 졸 좀 주 지 진 질 징 챠 카 칸 칼 캄 케 켈 코 콕 콘 콜 쿠 퀴 크 클 키 킨 타 탁 탄 탈 테 텍 텐 텔 토 톡 톤 톨 투 트 틴 틸 티 파 판 팜 팩 페 펙 펜 펠 포 폭 폴 푸 퓨 프 플 피 핀 필 하 한 할 헤 헬
호 후 훼 휴 히 힐 뮤 뮨 뷰 큐 튜 론 락 렌 졸 솜 덴 뎀 린 칩 탑 톱 킷 캡 맥 믹 릭 릿 셋 셉 렐 륨 듐 슘 튬 퓸 돌 멘 몬 몰 밀 벅 벌 본 봄 볼 삼 선 설 성 손 송 순 숨 승 싹""".split()
SYLLABLES = syllables()
KNOWN_SYLLABLES = frozenset(SYLLABLES)
# Letters of a syllable that print hardly tells apart: first ones, vowels, last ones.
NEAR_LETTERS = (("ㅇㅁ", "ㅇㅎ", "ㄱㅋ", "ㄷㅌ", "ㄷㄹ", "ㅂㅍ", "ㅂㅁ", "ㅅㅈ", "ㅈㅊ"), ("ㅏㅐ", "ㅏㅑ", "ㅏㅣ", "ㅓㅔ", "ㅓㅣ", "ㅐㅔ", "ㅗㅡ", "ㅗㅛ", "ㅜㅡ", "ㅜㅠ", "ㅢㅣ"), ("ㄴㄹ", "ㅁㅇ", "ㄱㄴ", "ㄱㅋ", "ㅁㅂ", "ㅅㅈ"))
LETTERS = ("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ", "_ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")


@cache
def near_syllables(char: str) -> list[str]:
    """Those that differ in one letter that looks alike, as 민 from 인 and 그 from 고."""
    parts = [n - 1 for n in jamo_of(char)]
    if parts[0] < 0:
        return []
    found = []
    for at, pairs in enumerate(NEAR_LETTERS):
        letter = LETTERS[at][parts[at]]
        for pair in pairs:
            if letter in pair:
                other = [*parts[:at], LETTERS[at].index(pair.replace(letter, "")), *parts[at + 1 :]]
                found.append(chr(0xAC00 + other[0] * 588 + other[1] * 28 + other[2]))
    return [one for one in found if one in KNOWN_SYLLABLES]


def _held(word: str) -> bool:
    return zlib.crc32(word.encode()) % 6 == 0


def _share(words: list[str], held_out: bool) -> list[str]:
    return [w for w in words if _held(w) == held_out]


# Real names, as `node training/hangul/listed-names.ts build/names` writes them: a file for each split of the benchmark.
NAMES = Path(__file__).parents[2] / "build" / "names"
REAL_NAMES_SHARE = 0.75


@cache
def listed_names(held_out: bool) -> list[str]:
    file = NAMES / ("untuned.txt" if held_out else "tuned.txt")
    if not file.exists():
        raise SystemExit(f"{file} is missing. Write it with: node training/hangul/listed-names.ts build/names")
    return file.read_text().splitlines()


class TextSource:
    """Draws texts by kind. `next(kind)` returns a line's text; `kind` is one of KINDS or a training-only kind."""

    def __init__(self, rng: random.Random, held_out: bool = False):
        self.rng = rng
        self.ingredients = _share(INGREDIENTS, held_out)
        self.phrases = _share(PHRASES, held_out) if held_out else PHRASES
        self.names = listed_names(held_out)
        self.bag: list[str] = []

    def syllable(self) -> str:
        """Every syllable once before any comes again."""
        if not self.bag:
            self.bag = SYLLABLES[:]
            self.rng.shuffle(self.bag)
        return self.bag.pop()

    def brand(self) -> str:
        r = self.rng
        rare = r.random()
        name = "".join(
            self.syllable() if r.random() < (0.12 if rare < 0.8 else 0.6) else r.choice(COMMON)
            for _ in range(r.choice((2, 3, 3, 3, 4, 4, 5)))
        )
        if r.random() < 0.2:
            name += r.choice(MODIFIERS)
        return name

    def number(self) -> str:
        r = self.rng
        return r.choice((
            lambda: str(r.randint(1, 9)),
            lambda: str(r.choice((10, 15, 20, 25, 30, 50, 60, 75, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 625, 650, 750, 1000))),
            lambda: r.choice(("0.5", "1.25", "2.5", "7.5", "12.5", "37.5", "62.5", "0.25", "0.1", "0.2", "0.05", "0.01")),
            lambda: f"{r.randint(1, 99)}.{r.randint(1, 99)}",
            lambda: r.choice(("5/10", "5/80", "10/20", "50/500", "2.5/1000", "160/12.5", "5/160", "16/12.5")),
        ))()

    def strength(self) -> str:
        r = self.rng
        unit = r.choice(UNITS_KO) if r.random() < 0.45 else r.choice(UNITS)
        gap = " " if r.random() < 0.08 else ""
        second = f"/{self.number()}{unit}" if r.random() < 0.08 else ""
        return f"{self.number()}{gap}{unit}{second}"

    def ingredient(self) -> str:
        r = self.rng
        roll = r.random()
        if roll < 0.1:
            return "·".join(r.sample(self.ingredients, 2))
        if roll < 0.16:
            return ",".join(r.sample(self.ingredients, 2))
        if roll < 0.3:  # an unknown ingredient: letters must be read, not guessed
            return self.brand() + r.choice(("염산염", "나트륨", "수화물", "말레산염", "칼슘", "황산염", "아세트산염", ""))
        return r.choice(self.ingredients)

    def pack(self) -> str:
        r = self.rng
        strength = f"{self.number()}{r.choice(UNITS)}"
        return r.choice((f"({strength}/1{r.choice(PACKS)})", f"({strength})", f"(1{r.choice(PACKS)})", f"({r.randint(1, 500)}{r.choice(PACKS)})",
                         f"({strength}/{r.randint(1, 100)}mL)"))

    def name(self) -> str:
        return self.rng.choice(self.names) if self.rng.random() < REAL_NAMES_SHARE else self.composed_name()

    def composed_name(self) -> str:
        r = self.rng
        text = self.brand() + r.choice(FORMS)
        if r.random() < 0.8:
            text += (" " if r.random() < 0.12 else "") + self.strength()
        if r.random() < 0.65:
            text += (" " if r.random() < 0.2 else "") + f"({self.ingredient()})"
        if r.random() < 0.45:
            text += r.choice(("_", "_", "_", " ")) + self.pack()
        if r.random() < 0.08:
            text = r.choice(("(비)", "[비급여]", "*", "(원외)", "#", "※", "-")) + text
        if r.random() < 0.05:
            text += r.choice(("(수출용)", "(수출명:", " 외", "(군납용)", "(외용)", "(1일1회)"))
        return text

    def near_name(self) -> str:
        """A composed name with a syllable or two that names rarely have there: print decides, not habit."""
        r = self.rng
        letters = list(self.composed_name())
        start = 0 if r.random() < 0.6 else r.randrange(max(1, len(letters) - 10))
        letters = letters[start : start + r.randint(4, 24)]
        for _ in range(r.choice((1, 1, 2, 3))):
            at = r.randrange(len(letters))
            letters[at] = r.choice(near_syllables(letters[at]) or [letters[at]])
        return "".join(letters).strip()

    def cut_name(self) -> str:
        """A name as the column cuts it, or a part of one: short lines for fast epochs."""
        text = self.name()
        if len(text) > 9:
            start = 0 if self.rng.random() < 0.5 else self.rng.randrange(len(text) - 5)
            text = text[start : start + self.rng.randint(5, 13)]
            if self.rng.random() < 0.3:
                text = text.rstrip() + self.rng.choice(CUT_MARKS)
        return text.strip()

    def marked_name(self) -> str:
        """A name as long as its column holds, and the mark that says so."""
        text = self.name()
        return text[: self.rng.randint(8, 44)].rstrip() + self.rng.choice(CUT_MARKS)

    def amount(self) -> str:
        r = self.rng
        value = int(10 ** r.uniform(0, 7.2))
        return r.choice((
            lambda: f"{value:,}", lambda: f"{value:,}", lambda: str(value), lambda: str(r.randint(1, 9)), lambda: str(r.randint(1, 999)),
            lambda: f"{value:,}원", lambda: f"{r.uniform(0, 100):.2f}", lambda: f"{r.uniform(0, 10):.1f}", lambda: f"{value / 100:,.2f}",
            lambda: f"{r.randint(1000, 999_999):,}", lambda: f"{r.randint(0, 999)}.{r.choice(('000', '500', '250', '750', '125'))}",
            lambda: f"{r.randint(1, 999)}.{r.choice(('0', '00', '5', '50'))}", lambda: f"-{value:,}", lambda: f"({value:,})", lambda: f"{r.randint(1, 100)}%", lambda: f"₩{value:,}", lambda: f"{r.choice((0, 1, 2, 3))}.{r.choice((0, 25, 5, 33, 67))}",
        ))()

    def signed_amount(self) -> str:
        """Won signs, and less than nothing as bookkeepers write it."""
        r = self.rng
        value = r.choice((r.randint(1, 9), r.randint(1, 999), int(10 ** r.uniform(3, 7))))
        return r.choice(("△{:,}", "△{:,}", "△ {:,}", "▲{:,}", "({:,})", "({:,})", "-{:,}", "-{:,}", "- {:,}", "{:,}-", "(-){:,}", "₩{:,}", "₩{:,}", "₩ {:,}", "₩-{:,}", "-₩{:,}", "{:,}원", "{:,} 원", "-{:,}원")).format(value)

    def lettered_code(self) -> str:
        """Codes of hospitals and shops: letters and digits, or digits in groups."""
        r = self.rng
        letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
        word = "".join(r.choice(letters) for _ in range(r.randint(1, 4)))
        nine = self.code_digits()
        return r.choice((
            lambda: f"{word}{r.randint(0, 9999):04d}", lambda: f"{word}-{r.randint(1, 9999)}", lambda: f"{word}{r.randint(0, 99999)}{r.choice(letters)}", lambda: f"{nine[: r.randint(2, 8)]}{r.choice(letters)}",
            lambda: "".join(r.choice("0123456789" * 2 + letters) for _ in range(r.randint(5, 10))), lambda: f"{nine[:4]}-{nine[4:]}", lambda: f"{nine[:3]} {nine[3:6]} {nine[6:]}", lambda: f"{nine[:4]} {nine[4:]}",
        ))()

    def code_digits(self) -> str:
        r = self.rng
        return f"{r.choice((r.randint(500, 999), r.randint(6200, 6299), r.randint(6400, 6999))):04d}{r.randint(0, 99999):05d}"

    def code(self) -> str:
        r = self.rng
        prefix = r.choice((r.randint(500, 999), r.randint(6200, 6299), r.randint(6400, 6999)))
        nine = f"{prefix:04d}{r.randint(0, 99999):05d}"
        return r.choice((
            lambda: nine, lambda: nine, lambda: nine, lambda: f"880{nine}{r.randint(0, 9)}", lambda: nine.lstrip("0"),
            lambda: f"{r.choice('ABCDEGHJKLMNTVW')}{r.randint(0, 99999999):08d}", lambda: f"{r.randint(100000, 699999)}{r.choice('AC')}{r.choice(('TB', 'CH', 'IJ', 'SY', 'OS'))}",
            lambda: f"{r.randint(100, 999)}-{r.randint(10, 99)}-{r.randint(10000, 99999)}", lambda: f"0{r.randint(2, 70)}-{r.randint(100, 9999)}-{r.randint(1000, 9999)}",
        ))()

    def dose(self) -> str:
        """What stands under 1회 투약량, 1일 투여횟수 and 총 투약일수."""
        r = self.rng
        value = r.choice((str(r.randint(1, 9)), str(r.randint(1, 9)), str(r.randint(1, 90)), "0.5", "0.25", "0.33", "0.3333", "0.6667", "0.75", "1.5", "2.5", f"{r.uniform(0, 10):.2f}", f"{r.uniform(0, 2):.4f}"))
        value = r.choice((value, value, value, f"{float(value):.1f}", f"{float(value):.2f}", f"{float(value):.3f}", f"{float(value):.4f}"))
        return value + (r.choice(("", " ")) + r.choice(DOSE_UNITS) if r.random() < 0.3 else "")

    def doses(self) -> str:
        """Dose, times a day and days in one cell, with strokes or crosses between them."""
        r = self.rng
        units = r.choice((("", "", ""), ("", "", ""), ("", "", ""), (r.choice(("정", "T", "C", "cc", "mL", "캡슐", "포", "g")), "회", "일")))
        dose = r.choice((str(r.randint(1, 9)), str(r.randint(1, 90)), "0.5", "0.25", "0.3333", "0.6667", "0.75", "1.5", "2.5", f"{r.uniform(0, 2):.2f}"))
        dose = r.choice((dose, dose, f"{float(dose):.1f}", f"{float(dose):.2f}", f"{float(dose):.4f}"))
        mark = r.choice(("/", "/", "/", "/", "/", " / ", " / ", "/ ", "/ ", " /", "*", " * ", "x", " x ", "×", " × ", "-", " - "))
        numbers = [dose, str(r.randint(1, 6)), str(r.choice((r.randint(1, 9), r.randint(1, 9), 7, 10, 14, 15, 28, 30, 60, 90, r.randint(1, 120))))]
        parts = [number + unit for number, unit in zip(numbers, units, strict=True)]
        return mark.join(parts if r.random() < 0.85 else parts[: 2] if r.random() < 0.5 else parts[1:])

    def coded_name(self) -> str:
        """Code and name in one cell, as prescriptions print them."""
        r = self.rng
        code = self.code_digits()
        joined = r.choice((f"{code} ", f"{code} ", f"{code} ", f"({code})", f"({code}) ", f"[{code}]", f"[{code}] ", code)) + self.name()
        if r.random() < 0.3:
            joined += r.choice(("/1정", "/1캡슐", "(내복)", "(외용)", "/1cc", "_(", "(내"))
        return joined[: r.randint(16, 46)].rstrip() if r.random() < 0.75 else joined[:60]

    def date(self) -> str:
        r = self.rng
        y, m, d = r.randint(1990, 2030), r.randint(1, 12), r.randint(1, 28)
        return r.choice((f"{y}-{m:02d}-{d:02d}", f"{y}.{m:02d}.{d:02d}", f"{y}.{m}.{d}.", f"{y}년 {m}월 {d}일", f"{y}년 {m}월", f"{m}/{d}", f"{y % 100:02d}/{m:02d}/{d:02d}",
                         f"{y}.{m:02d}.{d:02d} ~ {y}.{m:02d}.{r.randint(d, 30):02d}", f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d}"))

    def maker(self) -> str:
        r = self.rng
        name = self.brand()[: r.randint(2, 4)] + r.choice(MAKER_STEMS)
        return r.choice((name, f"{name}(주)", f"(주){name}", f"주식회사 {name}", f"{name}㈜".replace("㈜", "(주)")))

    def header(self) -> str:
        r = self.rng
        text = r.choice(HEADERS)
        return r.choice((text, text, text, f"{text}(원)", f"{text}(A)", f"{r.choice(HEADERS)} {text}"))

    def phrase(self) -> str:
        r = self.rng
        return r.choice((" ".join, " ".join, ": ".join))([r.choice(self.phrases) for _ in range(r.choice((1, 1, 2, 3)))])

    def random_syllables(self) -> str:
        return "".join(self.syllable() for _ in range(self.rng.randint(2, 7)))

    def latin(self) -> str:
        r = self.rng
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        word = "".join(r.choice(letters) for _ in range(r.randint(1, 7)))
        word = r.choice((word, word.upper(), word.capitalize(), word.lower()))
        return r.choice((word, f"{word} {r.randint(1, 99)}{r.choice(UNITS)}", f"{word}-{r.randint(1, 99)}", f"({word})", f"{word}/{r.choice(UNITS)}"))

    def latin_word(self) -> str:
        r = self.rng
        return r.choice(LATIN_ONSETS) + "".join(r.choice(LATIN_MIDDLES) for _ in range(r.choice((0, 1, 1, 2, 2)))) + r.choice(LATIN_ENDINGS)

    def latin_name(self) -> str:
        """A drug's name in Latin letters: Zolpidem Tab. 10mg (Zolpidem tartrate)."""
        r = self.rng
        text = self.latin_word()
        if r.random() < 0.2:
            text += " " + (self.latin_word() if r.random() < 0.5 else r.choice(LATIN_SALTS))
        cased = r.choice((str.capitalize, str.capitalize, str.upper, str.lower))
        text = cased(text)
        if r.random() < 0.5:
            text += r.choice((" ", " ", "-", "")) + r.choice(LATIN_FORMS)
        if r.random() < 0.75:
            text += r.choice((" ", " ", "")) + f"{self.number()}{r.choice(UNITS)}"
        if r.random() < 0.25:
            text += r.choice((" ", "")) + f"({r.choice((str.capitalize, str.lower))(self.latin_word())}{r.choice(('', f' {r.choice(LATIN_SALTS)}'))})"
        if r.random() < 0.15:
            text += f" {r.choice(LATIN_FORMS)}"
        return text

    def coded_latin_name(self) -> str:
        return f"{self.coded_name()[:10].rstrip()} {self.latin_name()}"[:44].rstrip()

    def marks(self) -> str:
        """Rare marks beside ordinary text."""
        r = self.rng
        from charset import MARKS

        parts = [r.choice(MARKS) if r.random() < 0.4 else r.choice((r.choice(COMMON), str(r.randint(0, 999)), r.choice(UNITS))) for _ in range(r.randint(3, 6))]
        return "".join(parts)

    def line(self, kind: str) -> str:
        return getattr(self, kind)()
