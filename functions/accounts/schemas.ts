import * as z from 'zod';

/** Specification 1 §2.1. */
export const balance = z.object({
  balanceKrw: z.int().nonnegative().describe('Current prepaid balance in KRW'),
  lowBalanceThresholdKrw: z
    .int()
    .nonnegative()
    .nullable()
    .describe('Threshold in KRW of the low-balance e-mail; null: switched off'),
  updatedAt: z.iso.datetime().nullable().describe('Time of the last change of the balance; null: there was none'),
});
