import { Drawing, type TextStyle } from '../drawing/drawing.ts';
import { drawCallout } from '../drawing/marks.ts';
import type { PageImage } from '../drawing/page-image.ts';
import { hospital, institutionNumber, person } from '../drawing/people.ts';
import { type Font, suitsScreens } from '../fonts.ts';
import type { CorpusMaster } from '../master.ts';
import type { Random } from '../random.ts';
import {
  amountsOf,
  isInjected,
  type PlacedLine,
  type PrescribedLine,
  prescribedLines,
  prescribedTruth,
  writeDose,
} from '../sheet/prescribed-lines.ts';
import type { ColumnTruth, GridCellTruth, OtherColumn, Rect, Split, TableField, TableTruth } from '../truth.ts';
import {
  drawScreenGrid,
  drawScrollBar,
  type GridColumn,
  type GridRow,
  type GridStyle,
  gridStyle,
  type ScreenGrid,
  type SetGrid,
} from './screen-grid.ts';

/** Everything that the blocks of a window need. */
interface Window {
  readonly random: Random;
  readonly drawing: Drawing;
  readonly style: GridStyle;
  readonly text: TextStyle;
  readonly accent: string;
}

type DrugColumn = GridColumn & { readonly kind: TableField | OtherColumn | 'issue' | 'own' };

/** A drug line of the grid, or another line between them: a diagnosis, a fee, a remark. */
type OrderLine =
  | { readonly drug: PrescribedLine }
  | { readonly code: string; readonly text: string; readonly color: string; readonly fee: boolean };

const ACCENTS = ['#8db0d9', '#5f8fc4', '#9fb8a0', '#b9a6c9', '#c9b08a', '#7f8fa6'];

/**
 * A claim or order program's window: several grids, stacked and side by side, each with its own columns; one of them holds
 * the drugs.
 */
export async function drawScreenGrids(
  random: Random,
  master: CorpusMaster,
  fonts: readonly Font[],
  split: Split,
  size: number,
): Promise<PageImage> {
  const font = random.pick(fonts.filter(suitsScreens));
  const drawing = new Drawing();
  const window: Window = {
    random,
    drawing,
    style: gridStyle(random, font, size),
    text: { font, size, color: '#222' },
    accent: random.pick(ACCENTS),
  };
  const width = Math.round(random.between(82, 104) * size);
  const order = random.chance(0.35);
  const plan = drugGrid(random, master, split, order);
  let y = drawTop(window, width, order, split);
  const listWidth = random.chance(0.6) ? Math.round(random.between(13, 17) * size) : 0;
  const top = y + 6;
  const left = listWidth === 0 ? 8 : listWidth + 16;
  const stack = stacked(window, { x: left, y: top, width: width - left - 8 }, plan, order);
  y = stack.bottom;
  if (listWidth > 0) {
    const scrolled = random.chance(0.5);
    const list = { x: 8, y: top, width: listWidth, height: y - top };
    drawScreenGrid(
      random,
      drawing,
      patientList(window),
      { ...list, width: listWidth - (scrolled ? 16 : 0) },
      window.style,
    );
    if (scrolled) drawScrollBar(random, drawing, list, true);
  }
  y = drawStatus(window, width, y);
  drawManual(window, stack, width, y);
  const raster = await drawing.render(width, Math.round(y), random.pick(['#ffffff', '#f0f0f0', '#eef3f8', '#f4f1ea']));
  return {
    raster,
    documentType: 'drug_table',
    table: tableTruth(plan, stack.drugs),
    made: {
      kind: order ? 'order-screen' : 'claim-screen',
      rows: plan.lines.filter((line) => 'drug' in line).length,
      grids: stack.grids + (listWidth > 0 ? 1 : 0),
      sideBySide: stack.sideBySide,
      font: font.family,
      textPx: Math.round(size * 10) / 10,
    },
  };
}

interface DrugGridPlan {
  readonly columns: readonly DrugColumn[];
  readonly lines: readonly OrderLine[];
  readonly rows: readonly GridRow[];
}

function drugGrid(random: Random, master: CorpusMaster, split: Split, order: boolean): DrugGridPlan {
  const columns = order ? orderColumns(random) : claimColumns(random);
  const decimals = random.pick([0, 0, 2, 4, 4]);
  const timesDecimals = decimals > 0 && random.chance(0.25) ? 2 : 0;
  const style = {
    names: {
      parts: random.pick(['listed', 'listed', 'withoutPack', 'short'] as const),
      unit: random.pick(['words', 'latin'] as const),
    },
    prefix: 'none' as const,
    suffix: 'none' as const,
    unknownShare: random.chance(0.2) ? 0.1 : 0,
    codes: true,
    fractions: decimals === 4 || random.chance(0.3),
  };
  const drugs = prescribedLines(
    random,
    master,
    split,
    random.int(1, 9),
    style,
    (drug) => random.chance(0.85) || !isInjected(drug),
  );
  const issue = `20${random.int(20, 26)}${random.int(10, 12)}${random.int(10, 28)}${String(random.int(1, 99_999)).padStart(5, '0')}`;
  const lines: OrderLine[] = drugs.map((drug) => ({ drug }));
  if (order) mixIn(random, lines);
  const texts = (drug: PrescribedLine) => {
    const { unitPrice, totalAmount } = amountsOf(drug);
    return {
      drugCode: drug.code ?? '',
      drugName: drug.name,
      quantity: writeDose(drug.quantity, decimals),
      timesPerDay: writeDose(drug.timesPerDay, timesDecimals),
      days: String(drug.days),
      unitPrice: unitPrice.toLocaleString('en-US'),
      totalAmount: totalAmount.toLocaleString('en-US'),
      issue,
      own: `${random.pick(['a', 'au', 'ty', 'me', 'ro', 'ce'])}${random.pick(['g', 'l', 'k', ''])}${drug.drug.strength.slice(0, 4)}`,
      note: '',
      usage: random.pick(['P1', 'T3', '식후30분', 'B2', '']),
      category: random.pick(['3', '원외', '1']),
      unit: drug.unit,
      spec: String(drug.days),
      maker: drug.drug.maker,
    };
  };
  let serial = 0;
  const selected = random.chance(0.25) ? random.int(0, lines.length - 1) : -1;
  const rows = lines.map((line, i): GridRow => {
    serial++;
    const cells: Partial<Record<DrugColumn['kind'], string>> =
      'drug' in line
        ? texts(line.drug)
        : {
            drugCode: line.code,
            drugName: line.text,
            quantity: line.fee ? writeDose(1, decimals) : '',
            timesPerDay: line.fee ? '1' : '',
            days: line.fee ? '1' : '',
          };
    return {
      texts: columns.map(({ kind }) => (kind === 'serial' ? String(serial) : (cells[kind] ?? ''))),
      ...('drug' in line ? {} : { color: line.color }),
      ...(i === selected ? { fill: '#cfe4ff' } : {}),
    };
  });
  return { columns, lines, rows };
}

/** Diagnoses, fees and remarks among the drugs, as order slips have them. */
function mixIn(random: Random, lines: OrderLine[]): void {
  const others: OrderLine[] = [
    {
      code: random.pick(['J20.9', 'M79.198', 'K29.7', 'E11.9']),
      text: random.pick(['상세불명의 급성 기관지염', '기타 근통, 상세불명 부분', '상세불명의 위염']),
      color: '#1a4fa0',
      fee: false,
    },
    {
      code: random.pick(['AA154', 'AA254', 'AA156']),
      text: random.pick(['초진진찰료-의원', '재진진찰료-의원,보건의료원 내 의과']),
      color: '#c8202f',
      fee: true,
    },
    {
      code: random.pick(['MM010', 'KK010', 'E7070', 'D0002020']),
      text: random.pick(['표층열치료', '피하 또는 근육내주사', '흉부 직접촬영', '일반혈액검사']),
      color: '#c8202f',
      fee: true,
    },
    {
      code: '',
      text: random.pick(['* 3일 후 재내원', '금주 요망', '혈압 130/80', '약 복용 설명함']),
      color: '#2d7a3a',
      fee: false,
    },
  ];
  for (const other of random.shuffled(others).slice(0, random.int(1, 4))) {
    if (random.chance(0.6)) lines.unshift(other);
    else lines.splice(random.int(0, lines.length), 0, other);
  }
}

function claimColumns(random: Random): DrugColumn[] {
  const priced = random.chance(0.2);
  const columns: DrugColumn[] = [
    { kind: 'serial', header: random.pick(['줄번호', '줄\n번호', 'No']), width: 3, align: 'center' },
    {
      kind: 'issue',
      header: random.pick(['처방전교부번호', '교부번호', '처방전\n교부번호']),
      width: 8,
      align: 'center',
    },
    { kind: 'spec', header: random.pick(['처방\n일수', '처방일수']), width: 3, align: 'right' },
    { kind: 'category', header: '구분', width: 2.4, align: 'center' },
    {
      kind: 'drugCode',
      header: random.pick(['코드', '약품코드', '청구코드']),
      width: 6,
      align: random.pick(['left', 'center']),
    },
    { kind: 'drugName', header: random.pick(['명칭', '약품명', '처방명']), width: 26, align: 'left' },
    { kind: 'unitPrice', header: '단가', width: 4.5, align: 'right' },
    { kind: 'quantity', header: random.pick(['1회투약량', '1회\n투약량', '1회량']), width: 4.6, align: 'right' },
    {
      kind: 'timesPerDay',
      header: random.pick(['1일투여\n횟수', '1일\n횟수', '투여횟수']),
      width: 3.8,
      align: 'right',
    },
    { kind: 'days', header: random.pick(['총투약\n일수', '총투여일', '총\n일수']), width: 3.4, align: 'right' },
    { kind: 'totalAmount', header: '금액', width: 5.5, align: 'right' },
    { kind: 'note', header: random.pick(['본인부담\n코드', '비고', '예외']), width: 4, align: 'center' },
  ];
  const dropped = new Set<DrugColumn['kind']>(priced ? ['issue', 'spec'] : ['unitPrice', 'totalAmount']);
  for (const kind of ['serial', 'issue', 'spec', 'category', 'note'] as const)
    if (random.chance(0.25)) dropped.add(kind);
  return columns.filter(({ kind }) => !dropped.has(kind));
}

function orderColumns(random: Random): DrugColumn[] {
  const columns: DrugColumn[] = [
    { kind: 'serial', header: random.pick(['순', 'No', '']), width: 2.2, align: 'center' },
    { kind: 'category', header: random.pick(['구분', '유형']), width: 3, align: 'center' },
    { kind: 'own', header: random.pick(['사용자코드', '약속코드', '처방코드']), width: 5, align: 'left' },
    { kind: 'drugCode', header: random.pick(['청구코드', '보험코드', 'EDI코드']), width: 6.2, align: 'left' },
    { kind: 'drugName', header: random.pick(['처방명', '처방명칭', '오더명', '명칭']), width: 24, align: 'left' },
    { kind: 'quantity', header: random.pick(['용량', '1회량', '투여량', '1회투여량']), width: 4, align: 'right' },
    { kind: 'timesPerDay', header: random.pick(['횟수', '일투']), width: 3, align: 'right' },
    { kind: 'days', header: random.pick(['일수', '투여일수']), width: 3, align: 'right' },
    { kind: 'usage', header: '용법', width: 4.5, align: 'left' },
    { kind: 'note', header: random.pick(['원외', '예외', '급여']), width: 3, align: 'center' },
  ];
  const dropped = new Set<DrugColumn['kind']>();
  for (const kind of ['serial', 'category', 'own', 'usage', 'note'] as const)
    if (random.chance(0.35)) dropped.add(kind);
  return columns.filter(({ kind }) => !dropped.has(kind));
}

interface Stack {
  readonly bottom: number;
  readonly drugs: SetGrid;
  readonly places: readonly Rect[];
  readonly grids: number;
  readonly sideBySide: boolean;
}

/** The grids of the window's main part, from top to bottom, two of them side by side now and then. */
function stacked(
  window: Window,
  area: { x: number; y: number; width: number },
  plan: DrugGridPlan,
  order: boolean,
): Stack {
  const { random, drawing, style, text, accent } = window;
  const titled = random.chance(0.75);
  const sideTitles = titled && random.chance(0.6);
  const before = random
    .shuffled(order ? [diagnoses, generalFacts] : [diagnoses, fees, generalFacts])
    .slice(0, random.int(1, 3));
  const after = random.shuffled([remarks, results, history]).slice(0, random.int(0, 2));
  const sideBySide = random.chance(0.35);
  const places: Rect[] = [];
  let grids = 0;
  let y = area.y;
  let drugs: SetGrid | null = null;
  const gap = Math.round(random.between(3, 14));

  const put = (title: string, grid: ScreenGrid, x: number, width: number, top: number, spare: number): SetGrid => {
    const head = titled && !sideTitles ? Math.round(style.size * 1.7) : 0;
    const side = sideTitles ? Math.round(style.size * 2.2) : 0;
    const height = grid.rows.length * style.rowHeight + style.size * 3.2 + spare;
    if (head > 0)
      drawing.text(`${random.pick(['▶ ', '■ ', '□ ', ''])}${title}`, x + 4, top + head / 2, { ...text, bold: true });
    if (side > 0) {
      drawing.rect({ x, y: top, width: side, height }, accent);
      const letters = [...title.replaceAll(' ', '')];
      const fit = Math.min(style.size, (height - 6) / letters.length);
      letters.forEach((letter, i) => {
        drawing.text(letter, x + side / 2, top + height / 2 + (i - (letters.length - 1) / 2) * fit * 1.1, {
          ...text,
          size: fit,
          color: '#fff',
          align: 'center',
        });
      });
    }
    const bar = random.chance(0.4);
    const place = { x: x + side, y: top + head, width: width - side - (bar ? 16 : 0), height };
    const set = drawScreenGrid(random, drawing, grid, place, style);
    if (bar) drawScrollBar(random, drawing, { ...place, width: width - side }, true);
    if (random.chance(0.12)) drawScrollBar(random, drawing, place, false);
    places.push({ ...place, height });
    grids++;
    return set;
  };
  const bottomOf = () => Math.max(...places.map(({ y: at, height }) => at + height));

  const drugGridOf: ScreenGrid = { columns: plan.columns, rows: plan.rows };
  for (const [i, block] of before.entries()) {
    const [title, grid] = block(window);
    const next = before[i + 1];
    if (sideBySide && i === 0 && next !== undefined) {
      const share = random.between(0.35, 0.6);
      put(title, grid, area.x, area.width * share - gap, y, 0);
      const [otherTitle, other] = next(window);
      put(otherTitle, other, area.x + area.width * share, area.width * (1 - share), y, 0);
    } else if (!(sideBySide && i === 1)) put(title, grid, area.x, area.width, y, random.int(0, 3) * style.rowHeight);
    y = bottomOf() + gap;
  }
  const share = random.between(0.68, 0.78);
  const needed =
    style.size * plan.columns.reduce((sum, { kind, width }) => sum + (kind === 'drugName' ? 14 : width), 0);
  const beside = sideBySide && before.length === 1 && area.width * share > needed;
  drugs = put(
    random.pick(['처방내역', '처방 내역', '원외처방', '약제내역']),
    drugGridOf,
    area.x,
    beside ? area.width * share - gap : area.width,
    y,
    style.size + random.int(1, 3) * style.rowHeight,
  );
  if (beside) {
    const [title, grid] = remarks(window);
    put(title, grid, area.x + area.width * share, area.width * (1 - share), y, 0);
  }
  y = bottomOf() + gap;
  for (const block of after) {
    const [title, grid] = block(window);
    put(title, grid, area.x, area.width, y, random.int(0, 3) * style.rowHeight);
    y = bottomOf() + gap;
  }
  return { bottom: y, drugs, places, grids, sideBySide };
}

type Block = readonly [title: string, grid: ScreenGrid];

function diagnoses({ random }: Window): Block {
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

/** Fees have codes, prices and amounts, and are no drugs. */
function fees({ random }: Window): Block {
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
function generalFacts({ random }: Window): Block {
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

function remarks({ random }: Window): Block {
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

function results({ random }: Window): Block {
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

function history({ random }: Window): Block {
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

function patientList({ random, style }: Window): ScreenGrid {
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

function drawTop(window: Window, width: number, order: boolean, split: Split): number {
  const { random, drawing, text, accent } = window;
  const { size } = text;
  const plain = { ...text, size: Math.min(size, 13) };
  if (random.chance(0.12)) return 6;
  drawing.rect({ x: 0, y: 0, width, height: 28 }, random.pick(['#ffffff', '#dfe9f5', '#2b579a', '#ece9d8']));
  drawing.text(
    order ? random.pick(['진료실', '오더입력', '처방입력']) : random.pick(['청구확인', '명세서 조회', '보험청구']),
    26,
    14,
    { ...plain, color: '#444' },
  );
  ['×', '□', '－'].forEach((mark, i) => {
    drawing.text(mark, width - 18 - 30 * i, 14, { ...plain, align: 'center' });
  });
  drawing.rect({ x: 0, y: 28, width, height: 32 }, '#d6e1ee');
  random
    .shuffled(['사전점검', '저장', '조회', '청구문서 검색', '코드조회', '인쇄', '출력'])
    .slice(0, random.int(2, 5))
    .forEach((label, i) => {
      drawing.rect({ x: 8 + i * 94, y: 32, width: 88, height: 24 }, '#fdfdfd', '#9aa', 1);
      drawing.text(label, 52 + i * 94, 44, { ...plain, align: 'center' });
    });
  let y = 60;
  if (random.chance(0.6)) {
    ['2026년 11월 [2026110001]', '2026년 11월 [2026110002]'].slice(0, random.int(1, 2)).forEach((label, i) => {
      drawing.rect({ x: 8 + i * 190, y, width: 184, height: 26 }, i === 0 ? '#f6f6d0' : '#cfe0f2', '#8aa0bb', 1);
      drawing.text(label, 18 + i * 190, y + 13, plain);
    });
    y += 28;
  }
  if (random.chance(0.7)) {
    let x = 12;
    for (const [label, value] of [
      ['차트번호', String(random.int(100_000, 999_999))],
      ['수진자명', person(random)],
      ['요양기관', hospital(random, split)],
      ['기관기호', institutionNumber(random)],
      ['청구유형', '보험외래'],
    ] as const) {
      if (x > width - 190) break;
      drawing.rect({ x, y: y + 4, width: 66, height: 20 }, random.chance(0.5) ? '#555' : accent);
      drawing.text(label, x + 33, y + 14, { ...plain, color: '#fff', align: 'center' });
      drawing.text(value, x + 72, y + 14, plain);
      x += 186;
    }
    y += 28;
  }
  return y;
}

function drawStatus({ random, drawing, text }: Window, width: number, y: number): number {
  if (random.chance(0.3)) return y + 4;
  drawing.rect({ x: 0, y, width, height: 26 }, '#f6f6f6', '#ccc', 1);
  const amount = () => (random.int(100, 9000) * 10).toLocaleString('en-US');
  drawing.text(
    `※ 건수 : ${random.int(1, 60)}      요양급여비용총액 : ${amount()}      본인부담 : ${amount()}      청구액 : ${amount()}`,
    12,
    y + 13,
    { ...text, size: Math.min(text.size, 13) },
  );
  return y + 26;
}

/** A manual's frames and numbers over the picture. */
function drawManual({ random, drawing, style }: Window, stack: Stack, width: number, height: number): void {
  if (!random.chance(0.25)) return;
  random
    .shuffled(stack.places)
    .slice(0, random.int(1, 3))
    .forEach((place, i) => {
      const frame = {
        x: place.x - 3,
        y: place.y - 3,
        width: Math.min(width - place.x, place.width + 6),
        height: place.height + 6,
      };
      drawCallout(random, drawing, frame, style.font, i + 3);
    });
  if (random.chance(0.5))
    drawCallout(
      random,
      drawing,
      { x: 4, y: 30, width: random.int(80, 260), height: Math.min(30, height - 34) },
      style.font,
      1,
    );
}

function tableTruth({ columns, lines }: DrugGridPlan, set: SetGrid): TableTruth {
  const header = { y: set.box.y, height: set.headerHeight };
  const cells: GridCellTruth[] = columns.map((column, i) => ({
    row: 0,
    column: i,
    rowSpan: 1,
    columnSpan: 1,
    text: column.header,
    box: { ...set.columns[i]!, ...header },
  }));
  const placed: PlacedLine[] = [];
  set.rows.forEach((row, i) => {
    row.texts.forEach((text, k) => {
      cells.push({ row: i + 1, column: k, rowSpan: 1, columnSpan: 1, text, box: { ...row.box, ...set.columns[k]! } });
    });
    const line = lines[i]!;
    if (!('drug' in line)) return;
    const shown: Partial<Record<TableField, string>> = {};
    const boxes: Partial<Record<TableField, Rect>> = {};
    columns.forEach(({ kind }, k) => {
      if (!isTableField(kind)) return;
      shown[kind] = row.texts[k]!;
      boxes[kind] = { ...row.box, ...set.columns[k]! };
    });
    placed.push({ line: line.drug, box: row.box, name: shown.drugName ?? '', texts: shown, boxes });
  });
  return {
    box: set.box,
    headerRowCount: 1,
    columns: columns.map(
      ({ kind, header: text }, i): ColumnTruth => ({
        kind: kind === 'issue' || kind === 'own' ? 'note' : kind,
        header: text.replaceAll('\n', ' '),
        box: { ...set.columns[i]!, y: set.box.y, height: set.box.height },
      }),
    ),
    rows: placed.map(prescribedTruth),
    grid: { rowCount: set.rows.length + 1, columnCount: columns.length, cells },
    footer: { totalAmount: null, lineCount: null, totalIsSum: true },
    complete: true,
    tolerated: lines.flatMap((line) => ('drug' in line || !line.fee ? [] : [line.code])),
  };
}

const TABLE_FIELDS: readonly string[] = [
  'drugCode',
  'drugName',
  'quantity',
  'timesPerDay',
  'days',
  'unitPrice',
  'totalAmount',
];

function isTableField(kind: DrugColumn['kind']): kind is TableField {
  return TABLE_FIELDS.includes(kind);
}
