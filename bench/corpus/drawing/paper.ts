import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { Sheet } from '../sheet/sheet.ts';
import type { PageClass, Split } from '../truth.ts';
import { Drawing, type TextStyle } from './drawing.ts';
import type { PageImage } from './page-image.ts';
import { date, hospital, institutionNumber, person, phone } from './people.ts';
import { setTable } from './set-table.ts';
import { tableStyle } from './table-style.ts';

const A4 = Math.SQRT2;

/** Sets a sheet on paper: title, who and when, the table, notes, stamp, page number. */
export async function drawPaper(
  random: Random,
  sheet: Sheet,
  fonts: { readonly body: Font; readonly title: Font },
  size: number,
  pageClass: PageClass,
  split: Split,
): Promise<PageImage> {
  const style = tableStyle(random, fonts.body, size, pageClass, sheet.layout.longNames);
  const widest = size * (pageClass === 'photo' ? 66 : 92);
  const natural = setTable(sheet, style, 0, widest);
  const margin = random.between(0.045, 0.085);
  const stretched = random.chance(0.7);
  const usable = Math.max(natural.width, size * (natural.width > 60 * size ? 0 : random.between(42, 56)));
  const width = Math.round(usable / (1 - 2 * margin));
  const left = Math.round(width * margin);
  const table = setTable(sheet, style, stretched ? width - 2 * left : 0, Math.max(widest, width - 2 * left));
  const drawing = new Drawing();
  const text: TextStyle = { font: fonts.body, size, color: style.ink };
  const small: TextStyle = { ...text, size: size * 0.88 };
  const right = width - left;

  let y = Math.round(width * margin * random.between(0.7, 1.2));
  const titleSize = size * random.between(1.5, 2.3);
  const approval = !sheet.layout.prescription && width > size * 50 && random.chance(0.15);
  const titleAtLeft = approval || random.chance(0.2);
  y += titleSize * 0.6;
  const title: TextStyle = {
    font: fonts.title,
    size: titleSize,
    bold: random.chance(0.75),
    align: titleAtLeft ? 'left' : 'center',
  };
  drawing.text(sheet.title, titleAtLeft ? left : width / 2, y, title);
  if (!titleAtLeft && random.chance(0.3))
    drawing.line(width * 0.32, y + titleSize * 0.75, width * 0.68, y + titleSize * 0.75, '#000', 2);
  if (approval) {
    drawApprovalBox(drawing, right, y - titleSize * 0.6, size, text);
    y += size * 2.2;
  }
  y += titleSize * 1.1;

  if (sheet.layout.prescription) y = drawPatientBlock(random, drawing, left, y, width - 2 * left, size, text, split);
  else {
    const facts = [
      `요양기관명 : ${hospital(random, split)}`,
      `요양기관기호 : ${institutionNumber(random)}`,
      `조회기간 : 2026.10.01 ~ 2026.10.31`,
      `출력일시 : ${date(random)} ${random.int(9, 18)}:${random.int(10, 59)}`,
      `작성자 : ${person(random)}`,
      `담당자 연락처 : ${phone(random)}`,
    ];
    const chosen = random.shuffled(facts).slice(0, random.int(1, 4));
    chosen.forEach((fact, i) => {
      const atRight = i % 2 === 1;
      drawing.text(fact, atRight ? right : left, y, { ...small, align: atRight ? 'right' : 'left' });
      if (atRight || i === chosen.length - 1) y += size * 1.5;
    });
  }
  y += size * random.between(0, 0.8);

  const tableX = stretched || random.chance(0.5) ? left : Math.round((width - table.width) / 2);
  const truth = table.draw(drawing, tableX, Math.round(y));
  y = truth.box.y + truth.box.height + size * 1.3;
  if (sheet.footer.note) {
    const atRight = random.chance(0.6);
    drawing.text(sheet.footer.note, atRight ? right : left, y, {
      ...text,
      bold: random.chance(0.5),
      align: atRight ? 'right' : 'left',
    });
    y += size * 1.8;
  }
  if (random.chance(0.3)) {
    drawing.text(
      random.pick([
        '- 이 하 여 백 -',
        '※ 상기 내역은 심사 결과에 따라 변경될 수 있습니다.',
        '※ 본 자료는 청구 참고용입니다.',
        '위와 같이 청구합니다.',
      ]),
      width / 2,
      y,
      { ...small, align: 'center' },
    );
    y += size * 1.8;
  }
  if (random.chance(sheet.layout.prescription ? 0.8 : 0.25)) {
    drawing.text(`${hospital(random, split)}   원장  ${person(random)}  (인)`, right - size * 2, y + size, {
      ...text,
      align: 'right',
    });
    if (random.chance(0.8)) drawStamp(random, drawing, right - size * 2.4, y + size, size, fonts.title);
    y += size * 3;
  }

  const wanted = random.weighted({ a4: 60, fitted: 25, half: 15 });
  const ratio = { a4: natural.width > 60 * size ? 1 / A4 : A4, fitted: 0, half: 1 / A4 }[wanted];
  const height = Math.round(Math.max(y + width * margin, width * ratio));
  if (random.chance(0.35))
    drawing.text(random.pick(['- 1 -', '1 / 1', 'Page : 1', '1/3']), width / 2, height - size * 1.6, {
      ...small,
      align: 'center',
    });
  const raster = await drawing.render(width, height, random.pick(['#ffffff', '#ffffff', '#fdfdfb', '#fbfaf5']));
  return {
    raster,
    documentType: 'drug_table',
    table: truth,
    made: { ruling: style.ruling, font: fonts.body.family, textPx: size, darkHeader: style.headerColor === '#ffffff' },
  };
}

/** The sign-off box at the top right: a small table that must not be read. */
function drawApprovalBox(drawing: Drawing, right: number, top: number, size: number, text: TextStyle): void {
  const cell = size * 3;
  const titles = ['담당', '과장', '원장'];
  titles.forEach((title, i) => {
    const x = right - cell * (titles.length - i);
    drawing.rect({ x, y: top, width: cell, height: size * 1.4 }, 'none', '#333', 1);
    drawing.rect({ x, y: top + size * 1.4, width: cell, height: size * 2.4 }, 'none', '#333', 1);
    drawing.text(title, x + cell / 2, top + size * 0.7, { ...text, size: size * 0.85, align: 'center' });
  });
}

function drawPatientBlock(
  random: Random,
  drawing: Drawing,
  left: number,
  top: number,
  width: number,
  size: number,
  text: TextStyle,
  split: Split,
): number {
  const facts: [string, string][] = [
    ['교부번호', `2026${random.int(1000, 1120)} 제 ${random.int(1, 400)} 호`],
    ['의료기관', hospital(random, split)],
    ['환자성명', person(random)],
    ['전화번호', phone(random)],
    ['주민등록번호', `${random.int(400101, 991231)}-${random.int(1, 4)}******`],
    ['질병분류기호', `${random.pick(['J', 'K', 'M', 'I', 'E'])}${random.int(10, 99)}${random.int(0, 9)}`],
  ];
  const rowHeight = size * 1.9;
  const half = width / 2;
  facts.forEach(([label, value], i) => {
    const x = left + (i % 2) * half;
    const y = top + Math.floor(i / 2) * rowHeight;
    drawing.rect({ x, y, width: half * 0.32, height: rowHeight }, '#f2f2f2', '#333', 1);
    drawing.rect({ x: x + half * 0.32, y, width: half * 0.68, height: rowHeight }, 'none', '#333', 1);
    drawing.text(label, x + half * 0.16, y + rowHeight / 2, { ...text, size: size * 0.9, align: 'center' });
    drawing.text(value, x + half * 0.32 + size * 0.5, y + rowHeight / 2, text);
  });
  const end = top + 3 * rowHeight;
  drawing.text('※ 의약품의 명칭 및 용법은 아래와 같습니다.', left, end + size, { ...text, size: size * 0.85 });
  return end + size * 2;
}

/** A red seal, round or square, over any print. */
function drawStamp(random: Random, drawing: Drawing, x: number, y: number, size: number, font: Font): void {
  const color = random.pick(['#d0342c', '#c8102e', '#e04a3f']);
  const r = size * random.between(1.4, 2.2);
  const turn = random.between(-20, 20).toFixed(1);
  const shape = random.chance(0.5)
    ? `<circle cx="0" cy="0" r="${r}" fill="none" stroke="${color}" stroke-width="${size * 0.14}"/>`
    : `<rect x="${-r}" y="${-r}" width="${2 * r}" height="${2 * r}" fill="none" stroke="${color}" stroke-width="${size * 0.14}"/>`;
  const label = (text: string, dy: number) =>
    `<text x="0" y="${dy}" text-anchor="middle" font-family="${font.family}" font-size="${r * 0.7}" fill="${color}">${text}</text>`;
  drawing.add(
    `<g transform="translate(${x} ${y}) rotate(${turn})" opacity="0.8">${shape}${label('원장', -r * 0.08)}${label('의인', r * 0.68)}</g>`,
  );
}
