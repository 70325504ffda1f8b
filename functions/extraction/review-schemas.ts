import * as z from 'zod';
import { DECISIONS, REVIEW_FIELDS } from './domain/review.ts';

/** More than any page has. */
const MAX_REVIEWED_LINES = 2_000;

const count = z.int().nonnegative();

const reviewValue = z.union([z.string().max(300), z.number().min(-1e12).max(1e12), z.null()]);
const reviewValues = z.partialRecord(z.enum(REVIEW_FIELDS), reviewValue);
const text = z.string().max(300).nullable().exactOptional();
const number = z.number().min(-1e12).max(1e12).nullable().exactOptional();
const correction = z.strictObject({
  drugCode: text,
  drugName: text,
  quantity: number,
  days: number,
  prescribedQty: number,
  unitPrice: number,
  totalAmount: number,
} satisfies Record<(typeof REVIEW_FIELDS)[number], z.ZodType>);
const decision = z
  .enum(DECISIONS)
  .describe('accepted: right as it was read; corrected: by `values`; not_a_line: the page prints no drug there');
const reviewer = z.object({ kind: z.enum(['user', 'key', 'system']), id: z.string().nullable() });
const decided = { by: reviewer.describe('Who decided'), at: z.iso.datetime() };

export const review = z
  .object({
    version: z.int().positive().describe('Send it with the next change'),
    updatedAt: z.iso.datetime(),
    openLines: count.describe('Lines that need a review and have no decision yet'),
    lines: z.array(
      z.object({
        index: count.describe('Of the item, from 0'),
        decision,
        before: reviewValues.describe('The corrected fields as they were read'),
        after: reviewValues.describe('The corrected fields as they are'),
        ...decided,
      }),
    ),
    changes: z
      .array(
        z.object({
          version: z.int().positive(),
          index: count,
          decision: decision.nullable().describe('null: the line was opened again'),
          after: reviewValues,
          ...decided,
        }),
      )
      .describe('Decisions, oldest first; the last 1,000 of them'),
  })
  .meta({ id: 'Review' });

export const reviewBody = z.strictObject({
  version: z
    .int()
    .min(0)
    .describe('Version of the review that you have read; 0: there was none. 409 where it has changed since'),
  lines: z
    .array(
      z.strictObject({
        index: count.describe('Of the item, from 0'),
        decision,
        values: correction.optional().describe('Of a corrected line: its fields as they should be'),
      }),
    )
    .max(MAX_REVIEWED_LINES)
    .describe('Every decision to keep: a line that is left out is open again'),
});
