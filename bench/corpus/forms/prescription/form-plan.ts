import type { Font } from '../../fonts.ts';
import type { Random } from '../../random.ts';

/** How a form writes dose, times a day and days in one column. */
export interface OneDose {
  /** Between the three. */
  readonly mark: string;
  /** `1정 / 3회 / 7일` instead of `1 / 3 / 7`. */
  readonly units: boolean;
}

/** How a form counts its lines. */
export interface Numbering {
  /** In a separate column, or as text before the code and name. */
  readonly place: 'column' | 'text';
  /** Of the column. */
  readonly header: readonly string[];
  /** Of the column, in em. */
  readonly width: number;
  /** Behind the number. */
  readonly mark: string;
  /** Whether the injections are counted from 1 again. */
  readonly restarts: boolean;
}

/** How a form prints a drug on two lines, the name on the upper one and the code on the lower one. */
export interface CodesBelow {
  /** From the one line to the other, in pixels. */
  readonly gap: number;
  /** Height of the line's numbers above the middle of the two, in pixels. */
  readonly numbersAbove: number;
  /** The form has a row for each of the two. */
  readonly ruled: boolean;
  readonly brackets: readonly [string, string];
  /** In em: the code starts so far to the right of the name. */
  readonly indent: number;
  /** Size of the code's print, by that of the name. */
  readonly scale: number;
  /** The line that carries the list number. */
  readonly numbered: 'name' | 'code';
}

/** A numeric column of the form of law; `dose` holds dose, times a day and days, as its plan's `oneDose` writes them. */
export interface DoseColumn {
  readonly kind: 'daily' | 'quantity' | 'timesPerDay' | 'days' | 'share' | 'dose';
  /** One to four printed lines. */
  readonly header: readonly string[];
  /** In em of the form's print. */
  readonly width: number;
}

/** One clinic's copy of the form: the printer's part, and how the program prints into it. */
export interface FormPlan {
  readonly formFont: Font;
  readonly printFont: Font;
  readonly size: number;
  readonly printSize: number;
  readonly width: number;
  readonly formInk: string;
  readonly printInk: string;
  readonly headerFill: string;
  readonly ground: string;
  readonly ruleWidth: number;
  readonly nameHeader: readonly string[];
  readonly nameWidth: number;
  /** A separate column for the code. */
  readonly codeColumn: boolean;
  readonly columns: readonly DoseColumn[];
  readonly hasUsage: boolean;
  readonly slots: number;
  readonly slotHeight: number;
  readonly rows: 'ruled' | 'dashed' | 'open';
  /** Pitch of the printed lines: in ruled forms about a slot's height. */
  readonly pitch: number;
  /** How far the print is off the form, in pixels. */
  readonly shift: { readonly x: number; readonly y: number; readonly numbersX: number };
  readonly joint: 'blank' | 'brackets' | 'tab' | 'dots';
  readonly units: 'none' | 'attached' | 'apart' | 'some';
  readonly decimals: number;
  readonly ending: string | null;
  readonly injectionSlots: number;
  /** Probability that they contain injections. */
  readonly injectionShare: number;
  /** In em: the header is at least as tall. */
  readonly minHeaderHeight: number;
  /** Null: the two letters of 용법, apart. */
  readonly usageHeader: readonly string[] | null;
  /** Side-by-side parts of the table, each with its columns and header; the list runs down one after the other. */
  readonly halves: 1 | 2;
  /** Null: codes precede the names. */
  readonly codesBelow: CodesBelow | null;
  readonly numbering: Numbering | null;
  readonly oneDose: OneDose | null;
}

const INK = { black: '#161616', gray: '#555', blue: '#3a55a8', green: '#2f7a52', violet: '#6a5aa6', brown: '#7a5a44' };
const TINTS: Readonly<Record<keyof typeof INK, readonly string[]>> = {
  black: ['none', 'none', '#ececec', '#dcdcdc'],
  gray: ['none', '#eeeeee'],
  blue: ['none', '#dfe6f6', '#cfdcf2'],
  green: ['none', '#dff0e4', '#cde6d4'],
  violet: ['#dcdcf4', '#e6e2f4', '#c9c9ea'],
  brown: ['none', '#f2e6d6'],
};

export function formPlan(random: Random, fonts: readonly Font[], size: number): FormPlan {
  const ink = random.weighted({ black: 55, gray: 10, blue: 12, green: 8, violet: 11, brown: 4 });
  const rows = random.weighted({ ruled: 50, dashed: 22, open: 28 });
  const slots = random.int(9, 14);
  const slotHeight = size * random.between(1.55, 2.15);
  const open = rows === 'open';
  const printSize = size * random.between(0.88, 1.08);
  const shifted = random.chance(0.4);
  const formFont = random.pick(fonts);
  const units = random.weighted({ none: 58, attached: 16, apart: 18, some: 8 });
  return {
    formFont,
    printFont: random.chance(0.35) ? formFont : random.pick(fonts),
    size,
    printSize,
    width: Math.round(size * random.between(47, 58)),
    formInk: INK[ink],
    printInk: random.pick(['#000', '#111', '#1a1a24', '#2a2a2a', '#3c3c3c']),
    headerFill: random.pick(TINTS[ink]),
    ground: random.pick(['#ffffff', '#ffffff', '#fdfdfa', '#faf8f2', '#f4f8f4', '#f5f6fc', '#fbf4f6']),
    ruleWidth: Math.max(1, (size / 18) * random.pick([0.8, 1, 1, 1.5, 2])),
    nameHeader: random.pick([
      ['처방의약품의 명칭'],
      ['처방 의약품의 명칭'],
      ['처 방 의 약 품 의 명 칭'],
      ['처방의약품의 명칭 및 코드'],
      ['처 방 의 약 품 의', '명 칭 및 코 드'],
      ['처방의약품의 명칭', '(및 코드)'],
      ['처방의약품 명칭'],
    ]),
    nameWidth: random.between(18, 25.5),
    codeColumn: random.chance(0.08),
    columns: doseColumns(random, units),
    hasUsage: !random.chance(0.08),
    slots,
    slotHeight,
    rows,
    pitch: open ? printSize * random.between(1.15, 1.6) : slotHeight * random.between(0.985, 1.015),
    shift: {
      x: size * random.between(0.2, shifted ? 2.4 : 1.2),
      y: open
        ? size * random.between(-0.2, 0.9)
        : slotHeight * (shifted ? random.between(-0.32, 0.36) : random.between(-0.06, 0.06)),
      numbersX: size * (shifted ? random.between(-0.9, 0.9) : 0),
    },
    joint: random.weighted({ blank: 48, brackets: 20, tab: 24, dots: 8 }),
    units,
    decimals: random.weighted({ 0: 68, 1: 8, 2: 16, 4: 8 }) as unknown as number,
    ending: random.weighted({ none: 40, bars: 30, plain: 20, stars: 10 }) === 'none' ? null : ending(random),
    injectionSlots: random.int(3, 7),
    injectionShare: 0.22,
    minHeaderHeight: 0,
    usageHeader: null,
    halves: 1,
    codesBelow: null,
    numbering: null,
    oneDose: null,
  };
}

function doseColumns(random: Random, units: FormPlan['units']): DoseColumn[] {
  const narrow = random.chance(0.25);
  const width = narrow ? random.between(2.4, 3) : random.between(3.3, 4.8);
  const doseWidth = width * 1.1 + (units === 'none' ? 0 : random.between(0.6, 2.4));
  const wide = random.chance(0.3);
  const gap = wide ? ' ' : '';
  const spaced = (text: string) => [...text].join(gap);
  const thrice = narrow || random.chance(0.2);
  const times = random.pick(['투여횟수', '투여횟수', '횟수', '투약횟수']);
  const days = random.pick(['투약일수', '투약일수', '투여일수']);
  const dose = random.pick(['투약량', '투약량', '투여량']);
  const columns: DoseColumn[] = [
    { kind: 'quantity', header: [spaced('1회'), spaced(dose)], width: doseWidth },
    {
      kind: 'timesPerDay',
      header: thrice && times.length === 4 ? ['1일', times.slice(0, 2), times.slice(2)] : [spaced('1일'), times],
      width,
    },
    { kind: 'days', header: thrice ? ['총', days.slice(0, 2), days.slice(2)] : ['총', days], width },
  ];
  if (random.chance(0.13)) columns.unshift({ kind: 'daily', header: ['1일', dose], width: doseWidth });
  if (random.chance(0.22))
    columns.push({
      kind: 'share',
      header: random.pick([
        ['부담', '코드'],
        ['본인', '부담'],
        ['급여', '구분'],
      ]),
      width: 2.2,
    });
  return columns;
}

function ending(random: Random): string {
  return random.pick([
    '============ 이 하 여 백 ============',
    '=== 이 하 여 백 ===',
    '--- 이하여백 ---',
    '이 하 여 백',
    '** 이하여백 **',
    '======= 以下餘白 =======',
    '※ 이하 여백',
  ]);
}
