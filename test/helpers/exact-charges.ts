import { expect } from 'vitest';
import type { EmbeddedDynamo } from './embedded-dynamo.ts';
import { traces } from './extract-flow.ts';

/** Expects a ledger that adds up, and no held money once the time of all holds is over. @param release advances to that time. */
export async function expectExact(
  dynamo: EmbeddedDynamo,
  { workspaceId, openingKrw }: { readonly workspaceId: string; readonly openingKrw: number },
  release: () => Promise<unknown>,
) {
  await release();
  const { account, entries } = await traces(dynamo, workspaceId);
  const charged = entries.reduce((sum, { amountKrw }) => sum + amountKrw, 0);
  expect([account.balanceKrw, account.heldKrw ?? 0]).toEqual([openingKrw + charged, 0]);
  expect(entries.every(({ balanceKrw }) => balanceKrw >= 0)).toBe(true);
  const usage = await dynamo.items('usage', `WORKSPACE#${workspaceId}`);
  expect(usage.reduce((sum, { krw = 0 }) => sum + Number(krw), 0)).toBe(0 - charged);
  return entries;
}
