import { type TextStyle, textWidth } from '../../drawing/drawing.ts';
import { drawSeal } from '../../drawing/marks.ts';
import { hospital, institutionNumber, person, phone } from '../../drawing/people.ts';
import { rule, type Sheet } from './sheet.ts';

/** Title, insurance, number, patient, institution, diseases, the sentence of law. Returns where the table starts. */
export function drawHead(sheet: Sheet, top: number): number {
  const { random, drawing, plan, left, right, form, print, split } = sheet;
  const { size } = plan;
  const width = right - left;
  const small: TextStyle = { ...form, size: size * 0.82 };
  drawing.text(
    random.pick(['[별지 제9호서식]', '[별지 제10호 서식]', '■ 의료법 시행규칙 [별지 제9호서식]']),
    left,
    top - size * 0.6,
    small,
  );
  const copy = random.pick(['(약국제출용)', '(환자보관용)', '(약국용)', '']);
  drawing.text(copy, right, top - size * 0.6, { ...small, align: 'right' });
  let y = top + size * 2;
  const spacing = ' '.repeat(random.int(2, 14));
  drawing.text(['처', '방', '전'].join(spacing), left + width / 2, y, {
    ...form,
    size: size * random.between(1.5, 2),
    bold: random.chance(0.5),
    align: 'center',
  });
  y += size * 2.1;
  if (random.chance(0.15)) {
    drawing.text('명칭:            증:             피보험자:', left + size, y, form);
    y += size * 1.3;
  }
  drawInsurance(sheet, y);
  y += size * 1.1;
  const row = size * random.between(1.7, 2.1);
  const middle = left + width * random.between(0.46, 0.54);
  rule(sheet, left, y, right, y);
  const block = y;
  drawing.text(random.pick(['교부번호', '교부번호', '교부 번호']), left + size * 2.6, y + row / 2, {
    ...form,
    align: 'center',
  });
  const year = random.int(2015, 2026);
  drawing.text(
    `${year} 년 ${String(random.int(1, 12)).padStart(2, '0')} 월 ${String(random.int(1, 28)).padStart(2, '0')} 일 ${random.pick(['-', '~', '—'])} 제 ${String(random.int(1, 19999)).padStart(5, '0')} 호`,
    left + size * 6.2,
    y + row / 2,
    print,
  );
  rule(sheet, left, y + row, middle, y + row);
  rule(sheet, left + size * 5.4, y, left + size * 5.4, y + row);
  ['환', '자'].forEach((letter, i) => {
    drawing.text(letter, left + size * 1.1, y + row * (1.7 + 1.5 * i), { ...form, align: 'center' });
  });
  rule(sheet, left + size * 2.2, y + row, left + size * 2.2, y + row * 4);
  ['성      명', '주민등록번호'].forEach((label, i) => {
    drawing.text(label, left + size * 5.2, y + row * (1.75 + 1.5 * i), { ...form, align: 'center' });
    drawing.text(
      i === 0 ? person(random) : `${random.int(400101, 991231)}-${random.int(1, 4)}******`,
      left + size * 9,
      y + row * (1.75 + 1.5 * i),
      print,
    );
  });
  rule(sheet, left + size * 2.2, y + row * 2.5, middle, y + row * 2.5);
  rule(sheet, left + size * 8.4, y + row, left + size * 8.4, y + row * 4);
  rule(sheet, middle, y, middle, y + row * 4);
  ['의', '료', '기', '관'].forEach((letter, i) => {
    drawing.text(letter, middle + size, y + row * (0.5 + i), { ...form, align: 'center' });
  });
  rule(sheet, middle + size * 2, y, middle + size * 2, y + row * 4);
  const facts = [hospital(random, split), phone(random), phone(random), ''];
  ['명   칭', '전화번호', '팩스번호', 'e-mail주소'].forEach((label, i) => {
    drawing.text(label, middle + size * 4.2, y + row * (i + 0.5), { ...form, size: size * 0.9, align: 'center' });
    drawing.text(facts[i]!, middle + size * 7.2, y + row * (i + 0.5), print);
    if (i > 0) rule(sheet, middle + size * 2, y + row * i, right, y + row * i);
  });
  rule(sheet, middle + size * 6.6, y, middle + size * 6.6, y + row * 4);
  y = drawDiseases(sheet, block + row * 4, row, middle);
  rule(sheet, left, y, right, y);
  drawing.text(
    random.pick(['※', '*', '※ ']) +
      random.pick([
        '환자의 요구가 있을 때에는 질병분류기호를 기재하지 아니합니다.',
        '환자가 요구하면 질병분류기호를 적지 않습니다.',
        '환자의 요구가 있는 때에는 질병분류기호를 기재하지 아니합니다.',
      ]),
    left + size * 0.4,
    y + row * 0.5,
    form,
  );
  return Math.round(y + row);
}

function drawInsurance({ random, drawing, plan, left, right, form }: Sheet, y: number): void {
  const { size } = plan;
  const kinds = ['의료보험', '의료급여', '산재보험', '자동차보험', '기타(          )'];
  const marks = random.weighted({ boxes: 45, rounds: 40, single: 15 });
  let x = left + size * 0.5;
  for (const [i, kind] of (marks === 'single' ? kinds.slice(0, 1) : kinds).entries()) {
    if (marks === 'boxes') {
      drawing.rect(
        { x, y: y - size * 0.55, width: size * 1.1, height: size * 1.1 },
        'none',
        plan.formInk,
        plan.ruleWidth,
      );
      drawing.text(String(i + 1), x + size * 0.55, y, { ...form, size: size * 0.9, align: 'center' });
      x += size * 1.3;
    } else {
      drawing.text('①②③④⑤'[i]!, x, y, form);
      x += size * 1.05;
    }
    drawing.text(kind, x, y, { ...form, size: size * 0.92 });
    x += textWidth(kind, { ...form, size: size * 0.92 }) + size * 0.7;
  }
  if (random.chance(0.4)) drawing.text('V', left + size * 0.6, y, { ...form, color: '#111' });
  drawing.text('요양기관기호 :', right - size * 11, y, { ...form, size: size * 0.92 });
  drawing.text(institutionNumber(random), right - size * 0.6, y, { ...form, color: plan.printInk, align: 'right' });
}

/** Disease codes, one letter or one code per cell, with the doctor's name and licence next to them. */
function drawDiseases(sheet: Sheet, top: number, row: number, middle: number): number {
  const { random, drawing, plan, left, right, form, print } = sheet;
  const { size } = plan;
  const bottom = top + row * 2;
  rule(sheet, left, top, right, top);
  ['질병', '분류', '기호'].forEach((text, i) => {
    drawing.text(text, left + size * 1.4, top + row * (0.38 + 0.62 * i), {
      ...form,
      size: size * 0.92,
      align: 'center',
    });
  });
  const codes = Array.from(
    { length: random.int(1, 4) },
    () => `${random.pick(['J', 'K', 'M', 'I', 'E', 'R'])}${random.int(100, 9999)}`,
  );
  const cells = random.chance(0.6) ? 5 : 3;
  const cellWidth = (middle - size * 4 - left - size * 2.8) / cells;
  for (let i = 0; i <= cells; i++)
    rule(sheet, left + size * 2.8 + i * cellWidth, top, left + size * 2.8 + i * cellWidth, bottom);
  rule(sheet, left + size * 2.8, top + row, left + size * 2.8 + cells * cellWidth, top + row);
  for (let line = 0; line < 2; line++)
    for (let i = 0; i < cells; i++) {
      const text = cells === 5 ? (codes[line]?.[i] ?? '') : (codes[line * cells + i] ?? '');
      drawing.text(text, left + size * 2.8 + (i + 0.5) * cellWidth, top + row * (line + 0.5), {
        ...print,
        align: 'center',
      });
    }
  const doctor = left + size * 2.8 + cells * cellWidth;
  ['처   방', '의료인의', '성   명'].forEach((text, i) => {
    drawing.text(text, doctor + size * 1.7, top + row * (0.38 + 0.62 * i), {
      ...form,
      size: size * 0.85,
      align: 'center',
    });
  });
  rule(sheet, doctor + size * 3.4, top, doctor + size * 3.4, bottom);
  drawing.text(person(random), doctor + size * 4.4, top + row, print);
  drawing.text('(서명 또는 날인)', right - size * 12.6, top + row * 1.6, {
    ...form,
    size: size * 0.75,
    align: 'right',
  });
  if (random.chance(0.65))
    drawSeal(random, drawing, right - size * random.between(13, 16), top + row, size * 0.8, plan.formFont);
  const licence = right - size * 11.5;
  rule(sheet, licence, top, licence, bottom);
  rule(sheet, licence, top + row, right, top + row);
  rule(sheet, licence + size * 4.4, top, licence + size * 4.4, bottom);
  ['면허종별', '면허번호'].forEach((text, i) => {
    drawing.text(text, licence + size * 2.2, top + row * (i + 0.5), { ...form, size: size * 0.9, align: 'center' });
  });
  drawing.text('의   사', licence + size * 5.4, top + row * 0.5, print);
  drawing.text(`제 ${random.int(10_000, 139_999)} 호`, licence + size * 4.8, top + row * 1.5, print);
  return bottom;
}
