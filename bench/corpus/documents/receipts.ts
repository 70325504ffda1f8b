import { Drawing, type TextStyle } from '../drawing/drawing.ts';
import type { PageImage } from '../drawing/page-image.ts';
import { businessNumber, date, hospital, person, phone } from '../drawing/people.ts';
import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { Split } from '../truth.ts';
import { VOCABULARIES } from '../vocabulary.ts';
import { paperPage } from './paper-page.ts';

const GOODS = [
  '복사용지 A4',
  '볼펜 흑색',
  '일회용 장갑',
  '소독용 알콜솜',
  '종이컵',
  '건전지 AA',
  '물티슈',
  '생수 2L',
  '커피믹스',
  '파일 홀더',
  '포스트잇',
  '손세정제',
  '마스크 50매',
];

export async function drawReceipt(random: Random, font: Font, split: Split): Promise<PageImage> {
  const size = random.between(20, 28);
  const width = Math.round(size * random.between(26, 36));
  const drawing = new Drawing();
  const text: TextStyle = { font, size };
  const left = size * 1.5;
  const right = width - left;
  let y = size * 2.4;
  drawing.text(random.pick(['영 수 증', '영수증', '간이 영수증', '거래명세표']), width / 2, y, {
    ...text,
    size: size * 1.8,
    bold: true,
    align: 'center',
  });
  y += size * 2.4;
  for (const line of [
    `상호 : ${random.pick(VOCABULARIES[split].makerStems)}문구`,
    `사업자번호 : ${businessNumber(random)}`,
    `대표 : ${person(random)}   TEL ${phone(random)}`,
    `일시 : ${date(random)} ${random.int(9, 20)}:${random.int(10, 59)}`,
  ]) {
    drawing.text(line, left, y, text);
    y += size * 1.5;
  }
  const columns = [left, width * 0.55, width * 0.68, right] as const;
  const rule = () =>
    drawing.line(left, y - size * 0.75, right, y - size * 0.75, '#000', 1.5, random.chance(0.5) ? '6 4' : undefined);
  rule();
  (['품명', '수량', '단가', '금액'] as const).forEach((head, i) => {
    drawing.text(head, columns[i]! + (i === 2 ? size * 2 : 0), y, { ...text, align: i === 0 ? 'left' : 'right' });
  });
  y += size * 1.6;
  rule();
  let total = 0;
  for (const good of random.shuffled(GOODS).slice(0, random.int(3, 9))) {
    const count = random.int(1, 12);
    const price = random.int(5, 250) * 100;
    total += count * price;
    drawing.text(good, left, y, text);
    drawing.text(String(count), columns[1], y, { ...text, align: 'right' });
    drawing.text(price.toLocaleString('en-US'), columns[2] + size * 2, y, { ...text, align: 'right' });
    drawing.text((count * price).toLocaleString('en-US'), right, y, { ...text, align: 'right' });
    y += size * 1.6;
  }
  rule();
  const tax = Math.round(total / 11);
  for (const [label, value] of [
    ['공급가액', total - tax],
    ['부가세', tax],
    ['합계금액', total],
  ] as const) {
    drawing.text(label, left, y, { ...text, bold: label === '합계금액' });
    drawing.text(`${value.toLocaleString('en-US')}원`, right, y, {
      ...text,
      align: 'right',
      bold: label === '합계금액',
    });
    y += size * 1.6;
  }
  drawing.text('위 금액을 영수합니다.', width / 2, y + size, { ...text, align: 'center' });
  return paperPage(drawing, width, y + size * 4, 'receipt', { kind: 'receipt', font: font.family });
}

export async function drawCardSlip(random: Random, font: Font, split: Split): Promise<PageImage> {
  const size = random.between(20, 26);
  const width = Math.round(size * 24);
  const drawing = new Drawing();
  const text: TextStyle = { font, size };
  let y = size * 2;
  drawing.text('신용카드 매출전표', width / 2, y, { ...text, size: size * 1.4, bold: true, align: 'center' });
  y += size * 2.5;
  const total = random.int(20, 900) * 100;
  const lines: [string, string][] = [
    ['가맹점명', hospital(random, split)],
    ['사업자번호', businessNumber(random)],
    ['카드번호', `${random.int(4000, 5999)}-****-****-${random.int(1000, 9999)}`],
    ['승인번호', String(random.int(10_000_000, 99_999_999))],
    ['승인일시', date(random)],
    ['할부', '일시불'],
    ['금액', `${total.toLocaleString('en-US')}원`],
    ['부가세', '0원'],
    ['합계', `${total.toLocaleString('en-US')}원`],
  ];
  for (const [label, value] of lines) {
    drawing.text(label, size * 1.5, y, text);
    drawing.text(value, width - size * 1.5, y, { ...text, align: 'right' });
    y += size * 1.7;
  }
  drawing.text('감사합니다', width / 2, y + size, { ...text, align: 'center' });
  return paperPage(drawing, width, y + size * 4, 'receipt', { kind: 'card-slip', font: font.family });
}

/** A clinic's own receipt: a ruled table of fees, with medicines as one fee among others. */
export async function drawClinicReceipt(random: Random, font: Font, split: Split): Promise<PageImage> {
  const size = random.between(20, 25);
  const width = Math.round(size * 48);
  const left = size * 2;
  const tableWidth = width - 2 * left;
  const drawing = new Drawing();
  const text: TextStyle = { font, size };
  let y = size * 2.6;
  const title = random.pick(['진료비 계산서·영수증', '약제비 계산서·영수증', '외래 진료비 영수증']);
  drawing.text(title, width / 2, y, { ...text, size: size * 1.7, bold: true, align: 'center' });
  y += size * 2.6;
  drawing.text(`환자성명 : ${person(random)}`, left, y, text);
  drawing.text(`진료기간 : ${date(random)}`, width - left, y, { ...text, align: 'right' });
  y += size * 1.4;
  const edges = [0, 0.34, 0.56, 0.78, 1].map((share) => left + share * tableWidth);
  const rowHeight = size * random.between(1.6, 2);
  const row = (cells: readonly string[], fill: string, bold: boolean) => {
    cells.forEach((cell, i) => {
      const box = { x: edges[i]!, y, width: edges[i + 1]! - edges[i]!, height: rowHeight };
      drawing.rect(box, fill, '#333', 1);
      const middle = y + rowHeight / 2;
      if (i === 0 || bold) drawing.text(cell, box.x + box.width / 2, middle, { ...text, bold, align: 'center' });
      else drawing.text(cell, box.x + box.width - size * 0.5, middle, { ...text, align: 'right' });
    });
    y += rowHeight;
  };
  row(['항목', '본인부담금', '공단부담금', '비급여'], '#ececec', true);
  const totals = [0, 0, 0];
  for (const fee of random.shuffled(FEES).slice(0, random.int(5, FEES.length))) {
    const amounts = [
      random.int(5, 300) * 100,
      random.int(10, 700) * 100,
      random.chance(0.3) ? random.int(10, 500) * 100 : 0,
    ];
    amounts.forEach((amount, i) => {
      totals[i]! += amount;
    });
    row([fee, ...amounts.map((amount) => (amount === 0 ? '' : amount.toLocaleString('en-US')))], 'none', false);
  }
  row(['합계', ...totals.map((total) => total.toLocaleString('en-US'))], '#f4f4f4', false);
  y += size * 1.6;
  drawing.text(`납부한 금액 : ${(totals[0]! + totals[2]!).toLocaleString('en-US')} 원`, width - left, y, {
    ...text,
    bold: true,
    align: 'right',
  });
  drawing.text(`${hospital(random, split)}   사업자등록번호 ${businessNumber(random)}`, left, y + size * 2, text);
  return paperPage(drawing, width, y + size * 5, 'receipt', { kind: 'clinic-receipt', font: font.family });
}

const FEES = [
  '진찰료',
  '입원료',
  '투약 및 조제료',
  '약품비',
  '주사료',
  '검사료',
  '영상진단료',
  '처치 및 수술료',
  '재료대',
  '물리치료료',
];
