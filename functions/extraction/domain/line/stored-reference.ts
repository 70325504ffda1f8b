import { ExtractRefused } from '../extract-refused.ts';
import type { ExtractionResult } from '../extraction.ts';
import { resultOf } from '../result.ts';
import type { Extractions } from '../stored-extraction.ts';
import type { SettledCharge } from './settlement-line.ts';

/** The value of a completed Idempotency-Key: a reference, since the result is stored once and can be deleted. */
interface StoredReference extends SettledCharge {
  readonly storedAs: string;
}

export function storedReference(extractionId: string, { cost, balanceKrw }: SettledCharge): string {
  return JSON.stringify({ storedAs: extractionId, cost, balanceKrw } satisfies StoredReference);
}

/**
 * The result that a completed Idempotency-Key stands for. @param response as it was kept with the key.
 * @throws ExtractRefused 'result_not_kept'
 */
export async function replayedResult(
  workspaceId: string,
  response: string,
  extractions: Pick<Extractions, 'find'>,
): Promise<ExtractionResult> {
  const kept = JSON.parse(response) as ExtractionResult | StoredReference;
  // Of earlier releases.
  if (!('storedAs' in kept)) return kept;
  const stored = await extractions.find(workspaceId, kept.storedAs);
  if (stored === null)
    throw new ExtractRefused(
      'result_not_kept',
      'The first call with this Idempotency-Key succeeded, but its result was deleted, or the workspace keeps none. ' +
        'This call is not charged. Send the image with another key to have it read again.',
    );
  return resultOf(kept.storedAs, stored.page, kept);
}
