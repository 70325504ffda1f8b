import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { ColumnKind } from '../sheet/layouts.ts';
import type { PageClass } from '../truth.ts';

export interface TableStyle {
  readonly font: Font;
  readonly size: number;
  readonly ruling: 'full' | 'horizontal' | 'zebra' | 'none';
  readonly ruleColor: string;
  readonly ruleWidth: number;
  readonly outerRuleWidth: number;
  readonly paddingX: number;
  /** Height of a row of one line. */
  readonly rowHeight: number;
  readonly headerHeight: number;
  readonly headerFill: string;
  readonly headerColor: string;
  readonly headerBold: boolean;
  readonly stripeFill: string;
  readonly ink: string;
  readonly align: Readonly<Partial<Record<ColumnKind, 'left' | 'center' | 'right'>>>;
  readonly longNames: 'wrap' | 'cut' | 'widen';
  /** Widest that a name column gets, in em. */
  readonly nameCapEm: number;
  readonly cutMark: '' | '..' | '…';
}

const HEADER_FILLS = ['#ffffff', '#ffffff', '#efefef', '#e4e4e4', '#d6d6d6', '#dde7f3', '#f3ecd8', '#e1efdf'];
const STRIPES = ['#f3f3f3', '#ececec', '#e3e3e3', '#eaf1fa', '#f6f2e6'];

export function tableStyle(
  random: Random,
  font: Font,
  size: number,
  pageClass: PageClass,
  longNames?: TableStyle['longNames'],
): TableStyle {
  const ruling = random.weighted({ full: 46, horizontal: 20, zebra: 17, none: 17 });
  const gray = random.pick(['#000', '#000', '#333', '#777', '#aaa']);
  const scale = size / 20;
  const width = pageClass === 'screen' ? 1 : Math.max(1, random.pick([1, 1, 1.5, 2]) * scale);
  // Dark header bars with white letters are a program's or a report's, now and then.
  const dark = random.chance(0.07);
  const roomy = random.weighted({ tight: 30, usual: 50, generous: 20 });
  const lineHeight = { tight: 1.38, usual: 1.65, generous: 2.15 }[roomy] * random.between(0.96, 1.06);
  const number = random.chance(0.78) ? 'right' : 'center';
  const few = random.chance(0.5) ? number : 'center';
  return {
    font,
    size,
    ruling,
    ruleColor: pageClass === 'screen' ? random.pick(['#c8c8c8', '#b5b5b5', '#9aa7b8', '#808080', '#d5dbe3']) : gray,
    ruleWidth: width,
    outerRuleWidth: random.chance(0.4) ? width * 2 : width,
    paddingX: size * { tight: 0.28, usual: 0.45, generous: 0.75 }[roomy],
    rowHeight: size * lineHeight,
    headerHeight: size * lineHeight * random.pick([1, 1, 1.15, 1.4]),
    headerFill: dark ? random.pick(['#3f4a5a', '#1f4e79', '#555555']) : random.pick(HEADER_FILLS),
    headerColor: dark ? '#ffffff' : '#000',
    headerBold: random.chance(0.55),
    stripeFill: random.pick(STRIPES),
    ink: random.pick(['#000', '#000', '#111', '#222', '#333']),
    align: {
      serial: 'center',
      drugCode: random.chance(0.75) ? 'center' : 'left',
      drugName: 'left',
      quantity: few,
      timesPerDay: few,
      days: few,
      prescribedQty: number,
      unitPrice: number,
      totalAmount: number,
      maker: random.chance(0.6) ? 'left' : 'center',
      spec: 'center',
      unit: 'center',
      usage: 'center',
      note: 'center',
      category: 'center',
    },
    longNames: longNames ?? random.weighted({ cut: 45, widen: 35, wrap: 20 }),
    nameCapEm: random.between(12, 22),
    cutMark: random.weighted({ none: 80, dots: 14, ellipsis: 6 }) === 'none' ? '' : random.pick(['..', '…'] as const),
  };
}
