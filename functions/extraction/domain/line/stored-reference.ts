import type { ExtractionResult } from '../extraction.ts';
import { resultOf } from '../result.ts';
import type { Extractions } from '../stored-extraction.ts';
import type { SettledCharge } from './settlement-line.ts';

/** What an Idempotency-Key that was completed from the line keeps: who posted it had no page at hand. */
interface StoredReference extends SettledCharge {
  readonly storedAs: string;
}

export function storedReference(extractionId: string, { cost, balanceKrw }: SettledCharge): string {
  return JSON.stringify({ storedAs: extractionId, cost, balanceKrw } satisfies StoredReference);
}

/** The result that a completed Idempotency-Key stands for. @param response as it was kept with the key */
export async function replayedResult(
  workspaceId: string,
  response: string,
  extractions: Pick<Extractions, 'find'>,
): Promise<ExtractionResult> {
  const kept = JSON.parse(response) as ExtractionResult | StoredReference;
  if (!('storedAs' in kept)) return kept;
  const stored = await extractions.find(workspaceId, kept.storedAs);
  // It is kept for longer than any key.
  if (stored === null) throw new Error(`Extraction ${kept.storedAs} was settled, and is not there.`);
  return resultOf(kept.storedAs, stored.page, kept);
}
