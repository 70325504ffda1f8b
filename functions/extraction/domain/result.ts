import type { ExtractionResult, JudgedPage } from './extraction.ts';

/** The answer to a call, of its page and of what the charge came to. */
export function resultOf(
  requestId: string,
  page: JudgedPage,
  { cost, balanceKrw }: Pick<ExtractionResult, 'cost' | 'balanceKrw'>,
): ExtractionResult {
  const { documentType, foundTable, items, findings, summary, geometry, meta } = page;
  return {
    requestId,
    documentType,
    foundTable,
    items,
    ...(findings && { findings }),
    summary,
    geometry,
    meta,
    cost,
    balanceKrw,
  };
}
