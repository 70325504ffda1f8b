import { date, person } from '../../drawing/people.ts';
import type { Random } from '../../random.ts';
import type { Paper } from './paper.ts';

export function timetable(random: Random): Paper {
  if (random.chance(0.5)) {
    const subjects = ['국어', '수학', '영어', '과학', '사회', '체육', '음악', '미술', '도덕', ''];
    return {
      title: random.pick(['2학기 시간표', '3학년 2반 시간표', '주간 시간표']),
      above: [],
      tables: [
        {
          header: ['교시', '월', '화', '수', '목', '금'],
          rows: Array.from({ length: random.int(5, 8) }, (_, i) => [
            String(i + 1),
            ...Array.from({ length: 5 }, () => random.pick(subjects)),
          ]),
          right: new Set(),
        },
      ],
      below: [`담임 ${person(random)}`],
      documentType: 'other',
      width: random.between(34, 44),
    };
  }
  const stops = random.shuffled(['시청', '중앙역', '터미널', '대학교', '종합시장', '보건소']).slice(0, 4);
  const start = random.int(300, 400);
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const rows = Array.from({ length: random.int(8, 20) }, (_, i) => [
    String(i + 1),
    ...stops.map((_stop, k) => clock(start + i * 35 + k * 9)),
  ]);
  return {
    title: `${random.int(1, 99)}번 버스 운행 시간표`,
    above: [`시행일 : ${date(random)}`],
    tables: [{ header: ['회차', ...stops], rows, right: new Set() }],
    below: ['도로 사정에 따라 늦어질 수 있습니다.'],
    documentType: 'other',
    width: random.between(36, 46),
  };
}

export function scores(random: Random): Paper {
  const subjects = ['국어', '수학', '영어', '한국사', '물리', '화학', '생명과학', '지구과학'].slice(
    0,
    random.int(4, 8),
  );
  const list = random.chance(0.5);
  const rows = list
    ? Array.from({ length: random.int(8, 20) }, (_, i) => {
        const points = [random.int(30, 100), random.int(30, 100), random.int(30, 100)];
        const sum = points.reduce((all, one) => all + one, 0);
        return [String(i + 1), person(random), ...points.map(String), String(sum), (sum / 3).toFixed(1)];
      })
    : subjects.map((subject) => [
        subject,
        String(random.int(1, 5)),
        String(random.int(30, 100)),
        random.between(50, 80).toFixed(1),
        String(random.int(1, 9)),
      ]);
  return {
    title: random.pick(['성 적 통 지 표', '학업 성적표', '기말고사 결과']),
    above: [`${random.int(1, 3)}학년 ${random.int(1, 12)}반   ${date(random)}`],
    tables: [
      {
        header: list
          ? ['번호', '성명', '국어', '수학', '영어', '총점', '평균']
          : ['과목', '단위수', '원점수', '평균', '등급'],
        rows,
        right: new Set([2, 3, 4, 5, 6]),
      },
    ],
    below: [],
    documentType: 'other',
    width: random.between(34, 46),
  };
}

export function meals(random: Random): Paper {
  const dishes = [
    '쌀밥',
    '보리밥',
    '미역국',
    '된장국',
    '불고기',
    '계란찜',
    '배추김치',
    '깍두기',
    '생선구이',
    '콩나물',
    '과일',
    '우유',
  ];
  const rows = Array.from({ length: random.int(4, 6) }, (_, i) => [
    `${i + 1}일`,
    random.shuffled(dishes).slice(0, 4).join(' '),
    `${random.int(550, 900)}`,
    `${random.between(18, 40).toFixed(1)}`,
    `${random.int(150, 500)}`,
  ]);
  return {
    title: random.pick(['11월 식단표', '주간 급식 식단', '구내식당 주간 메뉴']),
    above: ['알레르기 정보 : 1.난류 2.우유 5.대두 6.밀'],
    tables: [{ header: ['날짜', '식단', '열량(kcal)', '단백질(g)', '칼슘(mg)'], rows, right: new Set([2, 3, 4]) }],
    below: ['식재료 사정에 따라 바뀔 수 있습니다.'],
    documentType: 'other',
    width: random.between(44, 56),
  };
}
