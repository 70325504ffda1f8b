import type * as z from 'zod';
import { extractRoute } from '../../extraction/routes.ts';
import { parse } from '../../shared/http/parse-input.ts';
import { readDrugTableArguments } from '../schemas.ts';
import { jsonOutput, type ToolDefinition } from './tool.ts';

export const readDrugTable: ToolDefinition = {
  kind: 'read_drug_table',
  name: 'read_drug_table',
  title: 'Read a drug table',
  description:
    'Reads the table of drugs of a Korean prescription, statement or price sheet, from an image or a page of a PDF: codes, names, ' +
    'quantities, days, prices. Each line is checked against the drug price list and has a light: GREEN may be used as it is, YELLOW is to ' +
    'be looked at, RED contradicts the list or itself; `review` says why. Charged only when a table is found. Give exactly one of image ' +
    '(base64) and imageUrl (https, or the imageUrl of POST /api/v1/uploads).',
  arguments: readDrugTableArguments,
  route: extractRoute,
  isReadOnly: true,
  isOpenWorld: true,
  toInput(args) {
    const { idempotency_key: key, ...body } = parse(readDrugTableArguments, args, 'the arguments') as z.output<
      typeof readDrugTableArguments
    >;
    return { headers: { 'idempotency-key': key }, body };
  },
  toOutput: (body) => jsonOutput(body as Record<string, unknown>),
};
