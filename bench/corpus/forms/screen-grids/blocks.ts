import { person } from '../../drawing/people.ts';
import type { ScreenGrid } from './screen-grid.ts';
import type { Window } from './window.ts';

type Block = readonly [title: string, grid: ScreenGrid];

export function diagnoses({ random }: Window): Block {
  const rows = Array.from({ length: random.int(1, 5) }, (_, i) => ({
    texts: [
      i === 0 ? '주' : '부',
      `${random.pick(['M', 'J', 'K', 'E', 'I'])}${random.int(10, 99)}.${random.int(0, 9)}`,
      random.pick(['13:이비인후과', '01:내과', '05:정형외과']),
      `2026-${random.pick(['09', '10', '11'])}-${random.int(10, 28)}`,
      random.pick([
        '상세불명의 급성 기관지염',
        '기타 근통, 상세불명 부분',
        '본태성(일차성) 고혈압',
        '상세불명의 위염',
        '2형 당뇨병',
      ]),
    ],
  }));
  return [
    '상병내역',
    {
      columns: [
        { header: '분류', width: 3, align: 'center' },
        { header: random.pick(['상병기호', '상병코드']), width: 6, align: 'left' },
        { header: '진료과', width: 7.5, align: 'left' },
        { header: '요양개시일', width: 7, align: 'center' },
        { header: random.pick(['명칭', '상병명']), width: 24, align: 'left' },
      ],
      rows,
    },
  ];
}

/** Fees have codes, prices and amounts, and are not drugs. */
export function fees({ random }: Window): Block {
  const names = [
    '초진진찰료-의원,보건의료원 내 의과',
    '재진진찰료-의원',
    '피하 또는 근육내주사',
    '표층열치료',
    '심층열치료',
    '흉부[직접촬영]',
  ];
  const rows = Array.from({ length: random.int(1, 4) }, (_, i) => {
    const price = random.int(100, 2400) * 10;
    return {
      texts: [
        String(i + 1),
        '01',
        random.pick(['01', '02']),
        random.pick(['AA154', 'AA254', 'KK010', 'MM010', 'MM015', 'HA101']),
        random.pick(names),
        price.toLocaleString('en-US'),
        '1.0000',
        '1.00',
        '1',
        price.toLocaleString('en-US'),
      ],
    };
  });
  return [
    '진료내역',
    {
      columns: [
        { header: '줄번호', width: 3, align: 'center' },
        { header: '항', width: 2, align: 'center' },
        { header: '목', width: 2, align: 'center' },
        { header: '코드', width: 5, align: 'left' },
        { header: '명칭', width: 20, align: 'left' },
        { header: '단가', width: 5, align: 'right' },
        { header: '1회투약량', width: 5, align: 'right' },
        { header: '1일투여\n횟수', width: 4, align: 'right' },
        { header: '총투\n여일', width: 3, align: 'right' },
        { header: '금액', width: 6, align: 'right' },
      ],
      rows,
    },
  ];
}

/** Names over their values, two rows at a time. */
export function generalFacts({ random }: Window): Block {
  const amount = () => (random.int(0, 900) * 100).toLocaleString('en-US');
  return [
    '일반내역',
    {
      columns: ['명일련번호', '수진자성명', '서식번호', '요양급여총액', '본인부담금', '청구액'].map((header, i) => ({
        header,
        width: 8,
        align: i < 3 ? ('center' as const) : ('right' as const),
      })),
      rows: [
        { texts: ['00001', person(random), 'H021', amount(), amount(), amount()], fill: '#ffff9a' },
        { texts: ['요양급여일수', '입.내원일수', '진료결과', '대불금', '지원금', '장애인의료비'], fill: '#f0f4fa' },
        { texts: [String(random.int(1, 30)), '1', '1:계속', '0', '0', amount()] },
      ],
    },
  ];
}

export function remarks({ random }: Window): Block {
  return [
    '특정내역',
    {
      columns: [
        { header: '단위', width: 3, align: 'center' },
        { header: '교부번호', width: 8, align: 'center' },
        { header: '내역구분', width: 6, align: 'center' },
        { header: '특정내역', width: 18, align: 'left' },
      ],
      rows: random.chance(0.5)
        ? []
        : [
            {
              texts: [
                '줄',
                String(random.int(1, 9)),
                random.pick(['JT010', 'MX999', 'JX999']),
                random.pick(['C/장기출장', '중복처방 사유 A', '']),
              ],
            },
          ],
    },
  ];
}

export function results({ random }: Window): Block {
  const rows = random
    .shuffled(['WBC', 'RBC', 'Hb', 'PLT', 'AST', 'ALT', 'Glucose'])
    .slice(0, random.int(2, 5))
    .map((name) => ({
      texts: [name, (random.int(10, 3000) / 10).toFixed(1), '', `${random.int(1, 20)}.0 ~ ${random.int(21, 400)}.0`],
    }));
  return [
    '검사결과',
    {
      columns: [
        { header: '검사명', width: 9, align: 'left' },
        { header: '결과', width: 6, align: 'right' },
        { header: '판정', width: 4, align: 'center' },
        { header: '참고치', width: 10, align: 'center' },
      ],
      rows,
    },
  ];
}

export function history({ random }: Window): Block {
  const rows = Array.from({ length: random.int(2, 5) }, () => ({
    texts: [
      `2026.${random.pick(['08', '09', '10'])}.${random.int(10, 28)}`,
      random.pick(['외래', '초진', '재진']),
      person(random),
      (random.int(15, 400) * 100).toLocaleString('en-US'),
    ],
  }));
  return [
    '진료이력',
    {
      columns: [
        { header: '진료일자', width: 7, align: 'center' },
        { header: '구분', width: 4, align: 'center' },
        { header: '담당의', width: 6, align: 'center' },
        { header: '본인부담', width: 7, align: 'right' },
      ],
      rows,
    },
  ];
}

export function patientList({ random, style }: Window): ScreenGrid {
  const marked = random.int(0, 4);
  return {
    columns: [
      { header: '일련\n번호', width: 3.4, align: 'center' },
      { header: '수진자', width: 4.4, align: 'left' },
      { header: '진료일자', width: 5.6, align: 'center' },
    ],
    rows: Array.from({ length: random.int(6, 16) }, (_, i) => ({
      texts: [
        String(i + 1).padStart(5, '0'),
        person(random),
        `2026.${random.pick(['09', '10', '11'])}.${random.int(10, 28)}`,
      ],
      ...(i === marked ? { fill: style.selected.fill, color: style.selected.color } : {}),
    })),
  };
}
