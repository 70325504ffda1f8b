import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { ItemValues } from '../corpus/truth.ts';

/** Values as transcribed, text or number; null: unreadable, and not scored. A member that is absent is not printed. */
const VALUE = z.union([z.string(), z.number()]).nullable().optional();

const ROW = z.object({
  drugCode: z.string().nullable().optional(),
  drugName: z.string().nullable().optional(),
  quantity: VALUE,
  days: VALUE,
  prescribedQty: VALUE,
  unitPrice: VALUE,
  totalAmount: VALUE,
});

const PAGE = z.object({
  file: z.string(),
  documentTypeExpected: z.string(),
  hasDrugTable: z.boolean(),
  expected: z.object({
    rows: z.array(ROW).optional(),
    /** Another grid of the page, with a line of fees that an answer may hold or leave out. */
    secondGrid: z.object({ row: z.object({ code: z.string() }).optional() }).optional(),
  }),
});

export type RealRow = z.infer<typeof ROW>;
export type RealPage = z.infer<typeof PAGE>;

/**
 * The pages that a folder's truth.json names.
 * @throws Error that names the missing or wrong member.
 */
export function realPages(folder: string): readonly RealPage[] {
  const file = join(folder, 'truth.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`${file} cannot be read. Name a folder that holds pictures and their truth.json.`);
  }
  const truth = z.object({ images: z.array(PAGE) }).safeParse(jsonOf(text, file));
  if (truth.success) return truth.data.images;
  const [issue] = truth.error.issues;
  throw new Error(`${file}: ${issue?.path.join('.')}: ${issue?.message}`);
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON.`, { cause });
  }
}

/** Values of a row as a number each, whether printed with separators or not; null: not printed, or unreadable and not scored. */
export function valuesOf(row: RealRow): ItemValues {
  const number = (value: RealRow['quantity']) =>
    value === undefined || value === null ? null : Number(String(value).replaceAll(',', ''));
  return {
    drugCode: row.drugCode ?? null,
    drugName: row.drugName ?? null,
    quantity: number(row.quantity),
    days: number(row.days),
    prescribedQty: number(row.prescribedQty),
    unitPrice: number(row.unitPrice),
    totalAmount: number(row.totalAmount),
  };
}
