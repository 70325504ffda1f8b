import { Drawing, type TextStyle, textWidth } from '../drawing/drawing.ts';
import type { PageImage } from '../drawing/page-image.ts';
import { date, person, phone } from '../drawing/people.ts';
import type { Font } from '../fonts.ts';
import type { CorpusMaster } from '../master.ts';
import type { Random } from '../random.ts';
import {
  isInjected,
  type PlacedLine,
  type PrescribedLine,
  prescribedLines,
  prescribedTruth,
  writeDose,
} from '../sheet/prescribed-lines.ts';
import { adorned, UNADORNED } from '../sheet/printed-name.ts';
import type { PrintedText, Rect, Split } from '../truth.ts';
import { VOCABULARIES } from '../vocabulary.ts';

/** How one pharmacy writes dose, times and days: labels before the numbers, or words around them. */
interface DoseWords {
  readonly quantity: string;
  readonly times: string;
  readonly days: string;
  readonly style: 'labels' | 'colons' | 'words';
}

const DOSE_WORDS: readonly DoseWords[] = [
  { quantity: '1회투약량', times: '1일투여횟수', days: '총투약일수', style: 'labels' },
  { quantity: '1회투약량', times: '1일투여횟수', days: '총투약일수', style: 'labels' },
  { quantity: '1회 투약량', times: '1일 투여횟수', days: '총 투약일수', style: 'colons' },
  { quantity: '투약량', times: '횟수', days: '일수', style: 'labels' },
  { quantity: '1회량', times: '1일횟수', days: '투약일수', style: 'colons' },
  { quantity: '1회', times: '1일', days: '', style: 'words' },
];

const EFFECTS = [
  '해열, 소염진통제',
  '위장관 운동 조절제',
  '항생제 - 세균 감염 치료',
  '위산 분비 억제제',
  '혈압을 낮추는 약',
  '알레르기 증상 완화',
  '가래를 묽게 하는 약',
  '혈당을 낮추는 약',
  '근육 이완제',
];
const CARES = [
  '충분한 물과 함께 복용하세요.',
  '졸음이 올 수 있으므로 운전에 주의하세요.',
  '정해진 시간에 규칙적으로 복용하세요.',
  '임의로 복용을 중단하지 마세요.',
  '음주를 피하고 서늘한 곳에 보관하세요.',
  '1일 3회 이상 복용하지 마세요. (최대 4,000 mg)',
  '이상 반응이 있으면 의사 또는 약사와 상의하세요.',
];
const ACCENTS = ['#1f6fb2', '#2f8f5b', '#d2691e', '#8a4fa0', '#333333', '#c0392b'];

/** A pharmacy's bag or leaflet: a block a drug, with its name in bold and its dose in a line of words; no grid, no codes. */
export async function drawGuide(
  random: Random,
  master: CorpusMaster,
  fonts: readonly Font[],
  split: Split,
  size: number,
): Promise<PageImage> {
  const font = random.pick(fonts);
  const drawing = new Drawing();
  const texts: PrintedText[] = [];
  const accent = random.pick(ACCENTS);
  const width = Math.round(size * random.between(34, 56));
  const margin = size * random.between(1.4, 2.6);
  const style = {
    names: adorned(
      random,
      master,
      {
        ...UNADORNED,
        parts: random.pick(['listed', 'short', 'short', 'withoutPack'] as const),
        unit: random.pick(['words', 'latin'] as const),
      },
      0.3,
    ),
    unknownShare: 0,
    codes: false,
    fractions: random.chance(0.3),
  };
  const lines = prescribedLines(random, master, split, random.int(2, 8), style, (drug) => !isInjected(drug));
  const put = (text: string, x: number, y: number, textStyle: TextStyle): void => {
    drawing.text(text, x, y, textStyle);
    const wide = textWidth(text, textStyle);
    const from = { left: x, center: x - wide / 2, right: x - wide }[textStyle.align ?? 'left'];
    if (text.trim() !== '')
      texts.push({ text, box: { x: from, y: y - textStyle.size * 0.6, width: wide, height: textStyle.size * 1.2 } });
  };
  const plain: TextStyle = { font, size, color: '#1c1c1c' };
  let y = drawHead(random, drawing, put, plain, width, margin, accent, split, lines);
  const words = random.pick(DOSE_WORDS);
  const decimals = random.pick([0, 0, 2, 2, 1]);
  const pictured = random.chance(0.6);
  const two = words.style !== 'colons' && width > size * 44 && random.chance(0.6) && lines.length > 2;
  const columnWidth = (width - 2 * margin - (two ? size : 0)) / (two ? 2 : 1);
  const placed: PlacedLine[] = [];
  let columnBottoms = [y, y];
  lines.forEach((line, i) => {
    const column = two ? i % 2 : 0;
    const x = margin + column * (columnWidth + size);
    const block = drawBlock(
      random,
      drawing,
      put,
      plain,
      line,
      { x, y: columnBottoms[column]!, width: columnWidth },
      { words, decimals, pictured, accent },
    );
    placed.push(block.placed);
    columnBottoms = columnBottoms.map((bottom, k) => (k === column ? block.bottom : bottom));
  });
  y = Math.max(...columnBottoms);
  y = drawFoot(random, drawing, put, plain, width, margin, y, split);
  const raster = await drawing.render(
    width,
    Math.round(y),
    random.pick(['#ffffff', '#ffffff', '#fffdf5', '#f3f9ff', '#f6fff3', '#fff7ee']),
  );
  const top = placed[0]!.box.y;
  const bottom = placed.at(-1)!.box.y + placed.at(-1)!.box.height;
  return {
    raster,
    documentType: 'drug_table',
    table: {
      box: { x: margin, y: top, width: width - 2 * margin, height: bottom - top },
      headerRowCount: 0,
      columns: [],
      rows: placed.map(prescribedTruth),
      grid: { rowCount: 0, columnCount: 0, cells: [] },
      footer: { totalAmount: null, lineCount: null, totalIsSum: true },
      complete: true,
    },
    texts,
    made: {
      kind: 'guide',
      rows: lines.length,
      words: words.style,
      pictured,
      twoColumns: two,
      font: font.family,
      textPx: Math.round(size * 10) / 10,
    },
  };
}

type Put = (text: string, x: number, y: number, style: TextStyle) => void;

function drawHead(
  random: Random,
  drawing: Drawing,
  put: Put,
  text: TextStyle,
  width: number,
  margin: number,
  accent: string,
  split: Split,
  lines: readonly PrescribedLine[],
): number {
  const { size } = text;
  let y = size * random.between(2, 3);
  const title = random.pick(['복약안내문', '복 약 안 내', '약 봉투', '내 복 약', '조제약 복약안내서']);
  if (random.chance(0.4)) {
    drawing.rect({ x: 0, y: 0, width, height: y + size * 1.6 }, accent);
    put(title, width / 2, y, { ...text, size: size * 1.7, bold: true, align: 'center', color: '#fff' });
  } else put(title, width / 2, y, { ...text, size: size * 1.8, bold: true, align: 'center', color: accent });
  y += size * 2.8;
  put(`${person(random)} 님   (${random.pick(['남', '여'])}, 만 ${random.int(3, 88)}세)`, margin, y, {
    ...text,
    size: size * 1.2,
    bold: true,
  });
  put(`조제일자 : ${date(random)}`, width - margin, y, { ...text, align: 'right' });
  y += size * 1.9;
  put(
    `${random.pick(VOCABULARIES[split].makerStems)}약국   약사 ${person(random)}   ☎ ${phone(random)}`,
    margin,
    y,
    text,
  );
  y += size * 1.8;
  const usual = lines[0]!;
  if (random.chance(0.7)) {
    const box: Rect = { x: margin, y: y - size * 0.4, width: width - 2 * margin, height: size * 2.6 };
    drawing.rect(box, random.pick(['none', '#f1f1f1', '#fff3c4']), accent, 1.5);
    put(
      `하루 ${usual.timesPerDay} 번   ${usual.days} 일분   ${random.pick(['식후 30분', '식전 30분', '취침전'])}에 복용하세요`,
      width / 2,
      y + size * 0.9,
      { ...text, size: size * 1.15, bold: true, align: 'center' },
    );
    y += size * 3.4;
  }
  return y;
}

function drawBlock(
  random: Random,
  drawing: Drawing,
  put: Put,
  text: TextStyle,
  line: PrescribedLine,
  place: { readonly x: number; readonly y: number; readonly width: number },
  how: { readonly words: DoseWords; readonly decimals: number; readonly pictured: boolean; readonly accent: string },
): { placed: PlacedLine; bottom: number } {
  const { size } = text;
  const { words } = how;
  const top = place.y;
  const picture = how.pictured ? size * 4.6 : 0;
  if (how.pictured) drawPill(random, drawing, { x: place.x, y: top + size * 0.5, width: size * 4, height: size * 3 });
  const x = place.x + picture;
  const right = place.x + place.width;
  let y = top + size * 0.9;
  const bold: TextStyle = { ...text, size: size * 1.1, bold: true };
  let name = line.name;
  while (name.length > 4 && textWidth(name, bold) > right - x) name = name.slice(0, -1);
  name = name.trimEnd();
  put(name, x, y, bold);
  const nameBox: Rect = { x, y: y - size * 0.7, width: right - x, height: size * 1.4 };
  y += size * 1.6;
  const small: TextStyle = { ...text, size: size * 0.86, color: '#444' };
  for (const description of [`[${random.pick(EFFECTS)}]`, ...random.shuffled(CARES).slice(0, random.int(0, 3))]) {
    let fit = description;
    while (fit.length > 6 && textWidth(fit, small) > right - x) fit = fit.slice(0, -1);
    put(fit, x, y, small);
    y += size * 1.25;
  }
  const quantity = writeDose(line.quantity, how.decimals);
  const pairs =
    words.style === 'words'
      ? [`${words.quantity} ${quantity}${line.unit}`, `${words.times} ${line.timesPerDay}회`, `${line.days}일분`]
      : words.style === 'colons'
        ? [`${words.quantity} : ${quantity}`, `${words.times} : ${line.timesPerDay}`, `${words.days} : ${line.days}`]
        : [`${words.quantity} ${quantity}`, `${words.times} ${line.timesPerDay}`, `${words.days} ${line.days}`];
  const gap = random.pick(['  ', '   ', '     ']);
  const dose = pairs.join(gap);
  const doseStyle: TextStyle = {
    ...text,
    size: Math.min(size, (size * (right - x)) / textWidth(dose, text)),
    bold: random.chance(0.3),
  };
  put(dose, x, y + size * 0.1, doseStyle);
  const doseBox: Rect = { x, y: y - size * 0.6, width: right - x, height: size * 1.3 };
  y += size * 1.5;
  if (random.chance(0.75)) drawing.line(place.x, y, right, y, '#bbb', 1, random.chance(0.4) ? '4 4' : undefined);
  y += size * 0.7;
  const boxes = { drugName: nameBox, quantity: doseBox, timesPerDay: doseBox, days: doseBox };
  const texts = { drugName: name, quantity, timesPerDay: String(line.timesPerDay), days: String(line.days) };
  return {
    placed: { line, box: { x: place.x, y: top, width: place.width, height: y - top }, name, texts, boxes },
    bottom: y,
  };
}

/** A tablet or a capsule in its picture's frame. */
function drawPill(random: Random, drawing: Drawing, frame: Rect): void {
  drawing.rect(frame, random.pick(['#e9eef2', '#f2f2f2', '#dbe7f0']), '#ccc', 1);
  const color = random.pick(['#ffffff', '#f6d55c', '#ed9b8f', '#9cc9e3', '#f2e3c9']);
  const cx = frame.x + frame.width / 2;
  const cy = frame.y + frame.height / 2;
  const rx = frame.width * random.between(0.2, 0.36);
  const ry = frame.height * random.between(0.18, 0.3);
  drawing.add(
    `<ellipse cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" rx="${rx.toFixed(1)}" ry="${ry.toFixed(1)}" fill="${color}" stroke="#999"/>`,
  );
  if (random.chance(0.5)) drawing.line(cx, cy - ry, cx, cy + ry, '#aaa', 1.5);
}

/** The bill that many bags carry below, and the pharmacy's own words. */
function drawFoot(
  random: Random,
  drawing: Drawing,
  put: Put,
  text: TextStyle,
  width: number,
  margin: number,
  top: number,
  split: Split,
): number {
  const { size } = text;
  let y = top + size;
  if (random.chance(0.45)) {
    const paid = random.int(15, 400) * 100;
    const insured = random.int(30, 900) * 100;
    drawing.rect({ x: margin, y: y - size, width: width - 2 * margin, height: size * 6.4 }, 'none', '#555', 1);
    put(random.pick(['약제비 계산서·영수증', '약제비 영수증']), width / 2, y, { ...text, bold: true, align: 'center' });
    y += size * 1.5;
    for (const [label, value] of [
      ['약제비 총액', paid + insured],
      ['본인부담금', paid],
      ['보험자부담금', insured],
    ] as const) {
      put(label, margin + size, y, text);
      put(`${value.toLocaleString('en-US')} 원`, width - margin - size, y, { ...text, align: 'right' });
      y += size * 1.35;
    }
    y += size * 1.2;
  }
  put(`${random.pick(VOCABULARIES[split].makerStems)}약국 · 처방전은 3년간 보관합니다.`, width / 2, y, {
    ...text,
    size: size * 0.85,
    align: 'center',
  });
  return y + size * 2;
}
