import { Drawing, type TextStyle } from '../../drawing/drawing.ts';
import type { PageImage } from '../../drawing/page-image.ts';
import type { Font } from '../../fonts.ts';
import type { Random } from '../../random.ts';
import type { Split } from '../../truth.ts';
import { drawRegistration } from '../papers.ts';
import { anyRuling, drawPlainTable } from '../plain-table.ts';
import { drawCardSlip } from '../receipts.ts';
import {
  blankPrescription,
  hospitalBill,
  insuranceClaim,
  laboratory,
  materialsOrder,
  medicalCertificate,
  vaccinations,
} from './clinic.ts';
import { goodsStatement, pesticides, priceList } from './goods.ts';
import { book, nutrition } from './labels-and-books.ts';
import { bank, companies, payroll, taxInvoice, utilityBill } from './money.ts';
import type { Writer } from './paper.ts';
import { meals, scores, timetable } from './schedules.ts';
import { restaurantReceipt, shopReceipt } from './shops.ts';

/** New kinds go to the end: the pages of a number stay what they were. */
const KINDS: readonly (readonly [kind: string, writer: Writer | null])[] = [
  ['nutrition', nutrition],
  ['laboratory', laboratory],
  ['bank', bank],
  ['companies', companies],
  ['book', book],
  ['insurance-claim', insuranceClaim],
  ['shop-receipt', shopReceipt],
  ['restaurant-receipt', restaurantReceipt],
  ['hospital-bill', hospitalBill],
  ['registration', null],
  ['goods-statement', goodsStatement],
  ['card-slip', null],
  ['blank-prescription', blankPrescription],
  ['medical-certificate', medicalCertificate],
  ['vaccinations', vaccinations],
  ['materials-order', materialsOrder],
  ['tax-invoice', taxInvoice],
  ['utility-bill', utilityBill],
  ['payroll', payroll],
  ['price-list', priceList],
  ['pesticides', pesticides],
  ['timetable', timetable],
  ['scores', scores],
  ['meals', meals],
];

const GROUNDS = ['#ffffff', '#ffffff', '#fdfdfa', '#f6f1e4', '#eef4fb', '#fdf0f0', '#eef8ee'] as const;

/** Papers with tables and numbers that hold no drugs; the kinds take turns. */
export async function drawNegative(
  random: Random,
  index: number,
  fonts: readonly Font[],
  split: Split,
  size: number,
): Promise<PageImage> {
  const font = random.pick(fonts);
  const [kind, writer] = KINDS[index % KINDS.length]!;
  if (kind === 'registration') return drawRegistration(random, font, split);
  if (writer === null) return drawCardSlip(random, font, split);
  const paper = writer(random, split);
  const drawing = new Drawing();
  const text: TextStyle = { font, size, color: paper.ink ?? random.pick(['#000', '#111', '#333']) };
  const width = Math.round(size * paper.width);
  const margin = size * random.between(1, 3);
  let y = size * random.between(2, 3.5);
  drawing.text(paper.title, width / 2, y, {
    ...text,
    size: size * random.between(1.3, 1.9),
    bold: random.chance(0.7),
    align: 'center',
  });
  y += size * 2.4;
  for (const line of paper.above) {
    drawing.text(line, margin, y, text);
    y += size * 1.6;
  }
  const ruling = anyRuling(random);
  const share = paper.beside ? paper.tables.length : 1;
  let bottom = y;
  paper.tables.forEach((table, i) => {
    const own = (width - 2 * margin) / share - (share > 1 ? size * 0.4 : 0);
    const x = margin + (share > 1 ? i * (own + size * 0.8) : 0);
    bottom = Math.max(bottom, drawPlainTable(random, drawing, table, { x, y, width: own }, text, ruling));
    if (share === 1) y = bottom + size * 1.2;
  });
  y = bottom + size * 1.4;
  for (const line of paper.below) {
    drawing.text(line, margin, y, text);
    y += size * 1.6;
  }
  if (paper.label !== undefined)
    drawing.rect(
      { x: size * 0.4, y: size * 0.4, width: width - size * 0.8, height: y },
      'none',
      paper.ink ?? '#333',
      3,
    );
  const raster = await drawing.render(width, Math.round(y + size * 2), paper.label ?? random.pick(GROUNDS));
  return { raster, documentType: paper.documentType, table: null, made: { kind, font: font.family, ruling } };
}
