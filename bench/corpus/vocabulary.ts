import type { PricedUnit } from './master.ts';
import type { Split } from './truth.ts';

/** Words of one split. Brands, makers, hospitals and people are invented; ingredients are ordinary ones. */
export interface Vocabulary {
  readonly brandHeads: readonly string[];
  readonly brandTails: readonly string[];
  readonly ingredients: readonly string[];
  readonly makerStems: readonly string[];
  readonly hospitals: readonly string[];
}

/** The two splits share no brand syllable pair, no ingredient, no maker and no hospital. */
export const VOCABULARIES: Readonly<Record<Split, Vocabulary>> = {
  tuned: {
    brandHeads:
      words(`가바 네오 노르 다이 데코 도파 라미 레보 로바 리피 마이 메디 모사 무코 바이 베스 보노 비오 사이 세로 소론 슈프 아모 에나
      오메 유로 이소 자니 제니 카나 코데 큐란 타나 테노 트라 파로 페니 포타 플라 피나 하이 헤모 휴온 글루 덱사 브로 스멕 알비 엔테 임프 젤로 클라
      팍스 뉴로 라크 맥시 셀레 씨프 안티 올메 조피 크레 토파 푸로`),
    brandTails: words(
      '넥스 니드 다민 돌 디핀 라딘 란트 렌 로신 릭 마졸 메트 민 베린 벨라 빈 살탄 세핀 스틴 신 졸정 제트 콜 큐 타민 톤 트린 파스 펜 프람 핀 필',
    ),
    ingredients:
      words(`아세트아미노펜 이부프로펜 덱시부프로펜 록소프로펜나트륨수화물 아세클로페낙 세레콕시브 트라마돌염산염 아목시실린수화물 세파클러수화물
      세프디니르 클래리트로마이신 레보플록사신수화물 암로디핀베실산염 로사르탄칼륨 발사르탄 텔미사르탄 카르베딜롤 비소프롤롤푸마르산염
      아토르바스타틴칼슘삼수화물 로수바스타틴칼슘 에제티미브 메트포르민염산염 글리메피리드 시타글립틴인산염수화물 클로피도그렐황산수소염 아스피린 레바미피드
      에스오메프라졸마그네슘삼수화물 란소프라졸 모사프리드시트르산염수화물 세티리진염산염 레보세티리진염산염 몬테루카스트나트륨 가바펜틴 프레가발린
      도네페질염산염수화물 레보티록신나트륨수화물 메틸프레드니솔론 에르도스테인 암브록솔염산염 수크랄페이트수화물 세프트리악손나트륨수화물 디클로페낙나트륨
      덱사메타손포스페이트이나트륨 염화나트륨 콜레칼시페롤 히알루론산나트륨 무피로신 모메타손푸로에이트 케토프로펜 멜록시캄 에페리손염산염 파모티딘
      돔페리돈말레산염 이토프리드염산염 알마게이트 플루코나졸 이트라코나졸 아시클로버 오셀타미비르인산염 알프라졸람 졸피뎀타르타르산염 쿠에티아핀푸마르산염
      에스시탈로프람옥살산염 콜린알포세레이트 베포타스틴베실산염 펙소페나딘염산염 슈도에페드린염산염 아세틸시스테인 프레드니솔론 탐스로신염산염 피나스테리드
      솔리페나신숙신산염 실데나필시트르산염 알로푸리놀 페북소스타트 우르소데옥시콜산 폴산 메코발라민 산화마그네슘 로페라미드염산염`),
    makerStems:
      words(`솔뫼 한빛누리 가온 두물 새벽 미르 다온 청솔 예그린 하늘샘 온새미 라온 아라 나래 도담 윤슬 해오름 푸른들 마루 시나브로 늘봄 가람 바름 채움
      은솔 보람 너울 달빛 산들 물빛`),
    hospitals: words('새봄 한마음 푸른솔 온누리 늘편한 다나음 참사랑 우리들 해맑은 보듬'),
  },
  untuned: {
    brandHeads:
      words(`갈라 나프 노빅 듀오 딜라 란스 레미 로타 루미 린코 멜락 미카 발트 베라 볼타 뷰티 산도 설파 솔리 시오 써모 아질 엘도 오팔 옥사 유박
      인다 자렐 젬시 조니 지엘 칼도 케이 콜킨 쿨린 키프 탈리 텔로 토브 티로 팔리 펜타 폴락 퓨로 프란 필로 헵타 호르 히스 그란 넬사 둘코 렉사 몬틴
      벤라 브린 스필 액티 웰부 졸레 챔스 트윈`),
    brandTails: words(
      '가드 닐 데린 도스 드론 락톤 레짐 로틴 르빈 막스 미신 바틴 부틴 소브 시틴 악틴 에드 옥신 움 인정 자임 젝트 질 카인 켈 테인 투스 퍼민 포린 플렉 헥사 훼라',
    ),
    ingredients:
      words(`라코사미드 옥스카르바제핀 페람파넬 조니사미드 로피니롤염산염 프라미펙솔염산염수화물 라사길린메실산염 엔타카폰 갈란타민브롬화수소산염
      리바스티그민타르타르산염 벤라팍신염산염 보티옥세틴브롬화수소산염 에스조피클론 클로자핀 팔리페리돈 지프라시돈염산염수화물 아미트립틸린염산염
      부스피론염산염 이르베사르탄 피마사르탄칼륨삼수화물 아질사르탄메독소밀칼륨 레르카니디핀염산염 실니디핀 베니디핀염산염 네비보롤염산염 이바브라딘염산염
      다비가트란에텍실레이트메실산염 티카그렐러 프라수그렐염산염 사르포그렐레이트염산염 베라프로스트나트륨 리마프로스트알파덱스 피타바스타틴칼슘
      프라바스타틴나트륨 심바스타틴 오메가-3-산에틸에스테르90 아카르보스 보글리보스 미티글리니드칼슘수화물 알로글립틴벤조산염 제미글립틴타르타르산염
      테네리글립틴브롬화수소산염수화물 삭사글립틴수화물 이프라글리플로진L-프롤린 토라세미드 인다파미드 클로르탈리돈 아세타졸아미드 테고프라잔 라푸티딘
      니자티딘 에카베트나트륨 테프레논 미소프로스톨 메살라진 피나베륨브롬화물 옥틸로늄브롬화물 플루나리진염산염 베타히스틴염산염 수마트립탄숙신산염
      세프카펜피복실염산염수화물 세프디토렌피복실 세프라딘 세팔렉신수화물 목시플록사신염산염 미노사이클린염산염 반코마이신염산염 메로페넴수화물
      아미카신황산염 리팜피신 에탐부톨염산염 이소니아지드 알벤다졸 팜시클로버 라미부딘 케토코나졸 시클로피록스올아민 푸시드산나트륨
      클로베타솔프로피오네이트 칼시포트리올 이소트레티노인 미녹시딜 트라넥삼산 올로파타딘염산염 에피나스틴염산염 케토티펜푸마르산염 아젤라스틴염산염
      카르보시스테인 브롬헥신염산염 티오트로퓸브롬화물 독소필린 레플루노미드 설파살라진 아자티오프린 이반드론산나트륨 옥시부티닌염산염 프로피베린염산염
      나프토피딜 실로도신 유데나필 도세탁셀 파클리탁셀 젬시타빈염산염 카르보플라틴 메게스트롤아세테이트`),
    makerStems:
      words(`여울 한들 벼리 슬기 가시버시 누림 단비 모람 별하 소담 아침 올곧 은가람 잎새 찬솔 큰솔 터전 포근 하람 흰여울 겨레 고운 나린 다솜 마중
      바다 서리 초록 튼튼 한결`),
    hospitals: words('맑은샘 이음 봄빛 하나로 든든 나무 정다운 큰나루 햇살 곁에'),
  },
};

export interface DosageForm {
  readonly names: readonly string[];
  readonly units: readonly ('mg' | 'g' | 'mL' | '%' | 'mcg' | 'IU')[];
  readonly strengths: readonly number[];
  /** Name of one priced unit. */
  readonly pricedUnit: PricedUnit;
  /** Prices in KRW are between these, most of them near the lower end. */
  readonly priceKrw: readonly [number, number];
  readonly weight: number;
}

export const DOSAGE_FORMS: readonly DosageForm[] = [
  {
    names: [
      '정',
      '정',
      '정',
      '정',
      '서방정',
      '장용정',
      '구강붕해정',
      '이알서방정',
      '필름코팅정',
      '츄어블정',
      '플러스정',
      '오디정',
    ],
    units: ['mg', 'mg', 'mg', 'mg', 'mcg'],
    strengths: [
      1, 2, 2.5, 4, 5, 6.25, 7.5, 10, 12.5, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 160, 200, 250, 300, 325,
      400, 500, 600, 650, 750, 1000,
    ],
    pricedUnit: '정',
    priceKrw: [12, 2400],
    weight: 56,
  },
  {
    names: ['캡슐', '캡슐', '연질캡슐', '서방캡슐', '장용캡슐'],
    units: ['mg'],
    strengths: [0.2, 0.4, 5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 250, 300, 400, 500],
    pricedUnit: '캡슐',
    priceKrw: [40, 3200],
    weight: 17,
  },
  {
    names: ['시럽', '현탁액', '건조시럽', '내복액'],
    units: ['mL', 'g'],
    strengths: [10, 15, 20, 50, 60, 100, 500],
    pricedUnit: 'mL',
    priceKrw: [7, 320],
    weight: 7,
  },
  {
    names: ['주', '주사', '주사액', '주사제', '프리필드시린지주'],
    units: ['mg', 'mL', 'g', 'IU'],
    strengths: [0.25, 0.5, 1, 2, 3, 4, 5, 10, 20, 40, 50, 100, 200, 500, 1000],
    pricedUnit: '병',
    priceKrw: [240, 480_000],
    weight: 13,
  },
  {
    names: ['연고', '크림', '겔', '로션'],
    units: ['%'],
    strengths: [0.05, 0.1, 0.25, 0.5, 1, 2, 5],
    pricedUnit: 'g',
    priceKrw: [60, 900],
    weight: 4,
  },
  {
    names: ['점안액', '점안현탁액', '점이액'],
    units: ['%'],
    strengths: [0.1, 0.15, 0.18, 0.3, 0.5, 1],
    pricedUnit: '관',
    priceKrw: [110, 14_000],
    weight: 3,
  },
];

export const UNIT_WORDS: Readonly<Record<string, string>> = {
  mg: '밀리그램',
  g: '그램',
  mL: '밀리리터',
  mcg: '마이크로그램',
  IU: '단위',
  '%': '%',
};

export const MAKER_SUFFIXES = words('제약(주) 약품(주) 제약 바이오(주) 파마(주) 헬스케어 약품공업(주) 메디칼(주)');
/** Makers as real lists name them, for lists that do not; those of one split are none of the other. */
export const MAKERS: Readonly<Record<Split, readonly string[]>> = {
  tuned:
    words(`한미약품(주) (주)종근당 (주)유한양행 동아에스티(주) 일동제약(주) (주)보령 (주)녹십자 (주)한독 명인제약(주) 삼진제약(주)
    환인제약(주) 대원제약(주) 동국제약(주) 광동제약(주) 경동제약(주) 국제약품(주) 신풍제약(주) 한림제약(주) 현대약품(주) 안국약품(주)
    한국화이자제약(주) 한국노바티스(주) 한국오츠카제약(주) (주)한국얀센 한국아스트라제네카(주)`),
  untuned:
    words(`(주)대웅제약 제이더블유중외제약(주) 에이치케이이노엔(주) 동화약품(주) 제일약품(주) 부광약품(주) 일양약품(주) 삼일제약(주)
    (주)유유제약 영진약품(주) 하나제약(주) (주)휴온스 (주)태준제약 건일제약(주) 구주제약(주) 명문제약(주) 이연제약(주) 조아제약(주)
    알보젠코리아(주) 대화제약(주) 한국엠에스디(유) 한국산도스(주) 바이엘코리아(주) 한국다케다제약(주) 한국베링거인겔하임(주)`),
};
export const FAMILY_NAMES = words('김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 홍');
export const GIVEN_NAMES = words(
  '민준 서연 도윤 지우 하준 서현 은우 지민 시우 수아 영수 정희 미경 성호 경자 현주 상철 순옥 태현 유진',
);
export const HOSPITAL_SUFFIXES = words(
  '의원 내과의원 정형외과의원 병원 요양병원 이비인후과의원 소아청소년과의원 종합병원 가정의학과의원',
);

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}
