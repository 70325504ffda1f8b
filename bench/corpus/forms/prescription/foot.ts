import { type TextStyle, textWidth } from '../../drawing/drawing.ts';
import { drawSquareCode } from '../../drawing/marks.ts';
import type { PrescribedLine } from '../../sheet/prescribed-lines.ts';
import type { Columns } from './columns.ts';
import { fitting, rule, type Sheet } from './sheet.ts';

/** 조제시참고사항, next to or in the section of injections; programs print here which drugs their check complained of. */
export function drawNotes(
  sheet: Sheet,
  columns: Columns,
  top: number,
  sectionTop: number,
  sectionHeight: number,
  lines: readonly PrescribedLine[],
  sectionEmpty: boolean,
): void {
  const { random, drawing, plan, left, right, form, print } = sheet;
  const { size } = plan;
  const x = columns.usageX;
  if (plan.hasUsage) {
    const title = random.pick(['조 제 시 참 고 사 항', '조제시 참고사항', '조제 시 참고사항']);
    const fit = Math.min(size * 0.95, ((right - x) / textWidth(title, form)) * size * 0.95);
    drawing.text(title, (x + right) / 2, top + size * 0.9, { ...form, align: 'center', size: fit });
    rule(sheet, x, top, right, top);
    rule(sheet, x, sectionTop, right, sectionTop);
  }
  const codes = lines.flatMap(({ code }) => code ?? []);
  const repeats = random.chance(0.5) && codes.length > 0;
  const beside = plan.hasUsage && (!sectionEmpty || random.chance(0.55));
  const small: TextStyle = { ...print, size: print.size * (beside ? 0.8 : 0.92) };
  const noted = random.shuffled(codes).slice(0, random.int(1, 5));
  if (repeats && (beside || sectionEmpty)) {
    const dur = random.chance(0.5);
    const texts = dur
      ? [
          '[DUR_점검결과]',
          ...noted.map(
            (code) =>
              `${beside ? '' : '  '}${code} JT0${random.int(10, 19)}${random.chance(0.3) ? ' F/복용기간이 중복되지 않는 경우' : ''}`,
          ),
        ]
      : ['동일성분 중복처방 사유', ...noted.map((code) => `${code}. 사유코드: ${random.pick(['A', 'B', 'C', 'D'])}`)];
    texts.forEach((text, i) => {
      const y = sectionTop + size * 0.8 + i * small.size * 1.2;
      if (y > sectionTop + sectionHeight - size * 0.5) return;
      const room = (beside ? right - x : columns.doses[0]!.x - left) - size;
      drawing.text(fitting(text, room, small), (beside ? x : left) + size * 0.5, y, small);
    });
  }
  // Next to the doses of injections if the form has a column for it: never over them.
  if (random.chance(0.35) && (plan.hasUsage || sectionEmpty))
    drawSquareCode(random, drawing, right - size * 5, sectionTop + sectionHeight - size * 5, size * 4.4);
}

/** How long it is valid, and what the pharmacy fills in. */
export function drawFoot(sheet: Sheet, top: number): number {
  const { random, drawing, plan, left, right, form, print } = sheet;
  const { size } = plan;
  const row = size * random.between(1.6, 2);
  let y = top;
  drawing.text('사용기간', left + size * 2.4, y + row / 2, { ...form, align: 'center' });
  rule(sheet, left + size * 4.8, y, left + size * 4.8, y + row);
  drawing.text(`${random.pick(['교부일로부터', '발급일부터'])} (    )일간`, left + size * 6, y + row / 2, form);
  drawing.text(String(random.pick([3, 3, 5, 7])), left + size * 13.2, y + row / 2, print);
  drawing.text(
    `${random.pick(['*', '※', ''])}사용기간내에 약국에 제출하여야 합니다.`,
    right - size * 1.5,
    y + row / 2,
    { ...form, align: 'right' },
  );
  y += row;
  rule(sheet, left, y, right, y);
  if (random.chance(0.15)) return Math.round(y);
  drawing.text(random.pick(['의  약  품   조  제  내  역', '의 약 품 조 제 내 역']), (left + right) / 2, y + row / 2, {
    ...form,
    align: 'center',
  });
  y += row;
  rule(sheet, left, y, right, y);
  const middle = left + (right - left) * 0.55;
  ['조제기관명칭', '조제 약사', '조 제 량', '조제년월일'].forEach((label, i) => {
    drawing.text(label, left + size * 5.3, y + row * (i + 0.5), { ...form, align: 'center' });
    if (i > 0) rule(sheet, left + size * 2, y + row * i, middle, y + row * i);
  });
  [...'조제내역'].forEach((letter, i) => {
    drawing.text(letter, left + size, y + row * (i + 0.5), { ...form, align: 'center' });
  });
  drawing.text('처방의 변경,수정,확인대체시 그 내용 등', middle + size * 0.6, y + row / 2, {
    ...form,
    size: size * 0.92,
  });
  rule(sheet, left + size * 2, y, left + size * 2, y + row * 4);
  rule(sheet, left + size * 8.6, y, left + size * 8.6, y + row * 4);
  rule(sheet, middle, y, middle, y + row * 4);
  rule(sheet, middle, y + row, right, y + row);
  return Math.round(y + row * 4);
}

export function drawSmallPrint({ random, drawing, plan, left, right, form }: Sheet, top: number): number {
  const { size } = plan;
  let y = top + size * 0.9;
  if (random.chance(0.25)) {
    for (const text of [
      '1. 본인부담률 구분코드:「국민건강보험법 시행령」별표2 제4호 및 제6호에 따른 약제를 처방한 경우 본인이 부담할',
      '   비용의 부담률에 부여된 해당 구분코드를 적습니다.',
      '  * A: 100분의 50 본인부담, B: 100분의 80 본인부담, D: 100분의 30 본인부담, E: 100분의 90 본인부담,',
      '2. 본인부담 구분기호:「본인일부부담금 산정특례에 관한 기준」등에 따른 특정기호 등을 적습니다.',
    ]) {
      drawing.text(text, left, y, { ...form, size: size * 0.78 });
      y += size * 1.05;
    }
  }
  drawing.text(random.pick(['210mm x 297mm(백상지 80g/㎡)', '210mm×297mm(일반용지 60g/㎡)']), right, y, {
    ...form,
    size: size * 0.78,
    align: 'right',
  });
  return y;
}
