import * as z from 'zod';

const count = z.int().nonnegative();
const isoDate = z.iso.date();

export const ownList = z.object({
  rows: count.describe('Drugs in it'),
  updatedAt: z.iso.datetime().describe('When it was sent'),
});

export const ownListBody = z.strictObject({
  file: z
    .string()
    .min(1, 'is empty; send the file in base64')
    .describe('The CSV or XLSX file in base64; gzip may have compressed it'),
});

export const drugMasterQuery = z.strictObject({
  search: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Adds the drugs whose code starts with this text, or whose name holds each word of it'),
  date: isoDate.optional().describe('Day whose prices the drugs are given with; absent: today'),
});

const listedDrug = z.object({
  code: z.string(),
  name: z.string(),
  maker: z.string().describe('"" when the list does not say'),
  unit: z.string().describe('Size and unit that the price is for; "" when the list does not say'),
  priceKrw: z.number().nullable().describe('In force on the day; null when the drug has none then'),
  listed: z.boolean().describe('Whether the drug is on the list on the day'),
});

export const drugMasterInfo = z.object({
  version: isoDate.describe('Date of the newest list in it'),
  dates: z.array(isoDate).describe('Dates of the monthly lists that were imported, oldest first'),
  rows: count.describe('Drugs in it, those that have left the list included'),
  ageDays: z.int().describe('Days since `version`; negative for a list of days to come'),
  stale: z.boolean().describe('True when it is older than 120 days: the operator should import a newer one'),
  source: z.string().describe('Where its first edition came from'),
  own: ownList.nullable().describe('The list of your workspace on top of it; null when there is none'),
  drugs: z
    .array(listedDrug)
    .optional()
    .describe('With search: up to 20 drugs, the closest first; a list of your workspace is searched as well'),
  attribution: z.string().describe('What its licence asks to be shown with the data; "" when it asks for nothing'),
});
