import type { Random } from '../../random.ts';
import type { Paper } from './paper.ts';

export function nutrition(random: Random): Paper {
  const english = random.chance(0.4);
  const facts: readonly (readonly [string, string, number, string])[] = [
    ['열량', 'ENERGY', 2000, english ? 'kJ' : 'kcal'],
    ['나트륨', 'SODIUM', 900, 'mg'],
    ['탄수화물', 'CARBOHYDRATE', 70, 'g'],
    ['당류', '- SUGARS', 30, 'g'],
    ['지방', 'FAT, TOTAL', 30, 'g'],
    ['트랜스지방', '- TRANS', 2, 'g'],
    ['포화지방', '- SATURATED', 12, 'g'],
    ['콜레스테롤', 'CHOLESTEROL', 60, 'mg'],
    ['단백질', 'PROTEIN', 20, 'g'],
    ['칼슘', 'CALCIUM', 300, 'mg'],
  ];
  const rows = facts.slice(0, random.int(6, 10)).map(([korean, latin, most, unit]) => {
    const amount = Math.max(0.1, random.between(0, most));
    const digits = most > 100 ? 0 : 1;
    return [
      english ? latin : korean,
      `${amount.toFixed(digits)} ${unit}`,
      `${random.int(0, 45)} %`,
      ...(random.chance(0.5) || english ? [`${(amount * 3.3).toFixed(digits)} ${unit}`] : ['']),
    ];
  });
  return {
    title: english ? 'NUTRITION INFORMATION' : '영 양 정 보',
    above: english
      ? ['SERVINGS PER PACKAGE: 9', `SERVING SIZE: ${random.int(15, 60)}g`]
      : [`총 내용량 ${random.int(50, 500)}g   1회 제공량당 ${random.int(90, 400)} kcal`],
    tables: [
      {
        header: english
          ? ['', 'QUANTITY PER SERVING', '%DAILY INTAKE*', 'QUANTITY PER 100g']
          : ['영양성분', '1회 제공량', '1일 영양성분 기준치', '100g당'],
        rows,
        right: new Set([1, 2, 3]),
      },
    ],
    below: [
      english
        ? '*BASED ON AN AVERAGE ADULT DIET OF 8700 kJ.'
        : '1일 영양성분 기준치에 대한 비율(%)은 2,000 kcal 기준입니다.',
    ],
    documentType: 'other',
    width: random.between(28, 40),
    ...random.pick([
      { label: '#ffffff', ink: '#111' },
      { label: '#fffbe8', ink: '#b3001b' },
      { label: '#f0f6ff', ink: '#16325c' },
      { label: '#b3001b', ink: '#ffffff' },
      { label: '#1d4d2b', ink: '#f4f4e0' },
      { label: '#e9c46a', ink: '#222222' },
    ]),
  };
}

export function book(random: Random): Paper {
  const english = random.chance(0.4);
  const sentences = english
    ? [
        'The table below lists the mean values of each group.',
        'All measurements were taken in the morning, before the first meal.',
        'Differences between the groups are discussed in chapter 4.',
        'Scanning is the strategy used to look up a specific detail.',
      ]
    : [
        '다음 표는 조사 대상 지역의 연도별 변화를 나타낸 것이다.',
        '표본의 크기가 작아 해석에 주의가 필요하다.',
        '각 항목의 정의는 부록에 실려 있다.',
        '이러한 경향은 다음 장에서 자세히 살펴본다.',
      ];
  const columns = random.int(3, 5);
  const header = [english ? 'Group' : '구분', ...Array.from({ length: columns }, (_, i) => String(2019 + i))];
  const rows = random
    .shuffled(
      english
        ? ['North', 'South', 'East', 'West', 'Total', 'Control']
        : ['서울', '부산', '대구', '인천', '광주', '대전', '울산', '합계'],
    )
    .slice(0, random.int(4, 6))
    .map((name) => [
      name,
      ...Array.from({ length: columns }, () =>
        random.chance(0.5) ? String(random.int(100, 9999)) : random.between(0, 100).toFixed(1),
      ),
    ]);
  return {
    title: english ? `Table ${random.int(1, 9)}-${random.int(1, 9)}` : `제 ${random.int(1, 12)} 장   자료의 정리`,
    above: random.shuffled(sentences).slice(0, random.int(2, 4)),
    tables: [{ header, rows, right: new Set(Array.from({ length: columns }, (_, i) => i + 1)) }],
    below: [...random.shuffled(sentences).slice(0, random.int(1, 4)), `- ${random.int(12, 380)} -`],
    documentType: 'other',
    width: random.between(36, 48),
  };
}
