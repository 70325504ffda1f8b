import { expect } from 'vitest';
import { extract } from '../../functions/extraction/domain/extract.ts';
import type { PostLinePorts } from '../../functions/extraction/domain/line/post-line.ts';
import type { SettlementLine } from '../../functions/extraction/domain/line/settlement-line.ts';
import type { TestClock } from './clock.ts';
import type { EmbeddedDynamo } from './embedded-dynamo.ts';
import { extractCommand, extractPorts, openAccount, traces } from './extract-flow.ts';
import { faultyPorts } from './faulty-ports.ts';

/** A workspace whose charges go into the line at once. */
export function openCrowdedAccount(
  dynamo: EmbeddedDynamo,
  clock: TestClock,
  funds: { readonly balanceKrw: number; readonly freeCallsUsed?: number; readonly lowBalanceThresholdKrw?: number },
): Promise<string> {
  return openAccount(dynamo, { freeCallsUsed: 10, ...funds, crowd: { atMs: clock.now(), waitedMs: 0 } });
}

/** The ports of one call, which waits by letting the time pass. */
export function linePorts(dynamo: EmbeddedDynamo, clock: TestClock) {
  const backoff = { wait: async (attempt: number) => clock.advance(0.05 * attempt) };
  return { ...extractPorts(dynamo, clock), backoff };
}

/** Leaves a settlement in the line whose caller died there. @returns the id of its extraction */
export async function leaveWaiting(dynamo: EmbeddedDynamo, clock: TestClock, workspaceId: string, key: string | null) {
  const ports = linePorts(dynamo, clock);
  const { ports: mortal } = faultyPorts(ports, 'killed before', 'line.takeTurn');
  await expect(extract(extractCommand(workspaceId, key, clock), mortal)).rejects.toThrow();
  return (await lastOf(ports, workspaceId)).extractionId;
}

async function lastOf({ line }: Pick<PostLinePorts, 'line'>, workspaceId: string) {
  const last = (await line.first(workspaceId, 100)).at(-1);
  if (last === undefined) throw new Error('Nothing waits.');
  return last;
}

/** The line with some of its methods replaced. */
export function lineWith(line: SettlementLine, replaced: Partial<SettlementLine>): SettlementLine {
  return {
    join: (...all) => line.join(...all),
    state: (...all) => line.state(...all),
    drop: (...all) => line.drop(...all),
    clear: (...all) => line.clear(...all),
    first: (...all) => line.first(...all),
    post: (...all) => line.post(...all),
    markCrowded: (...all) => line.markCrowded(...all),
    takeTurn: (...all) => line.takeTurn(...all),
    endTurn: (...all) => line.endTurn(...all),
    ...replaced,
  };
}

/** The invariant: the entries add up to the balance one by one, none is repeated, and each has exactly one extraction. */
export async function expectExactLedger(dynamo: EmbeddedDynamo, workspaceId: string, openedKrw: number) {
  const { account, entries, extractions } = await traces(dynamo, workspaceId);
  const inOrder = entries.toSorted((a, b) => a.sequence - b.sequence);
  let balanceKrw = openedKrw;
  for (const entry of inOrder) {
    balanceKrw += entry.amountKrw;
    expect(entry.balanceKrw).toBe(balanceKrw);
    expect(balanceKrw).toBeGreaterThanOrEqual(0);
  }
  expect(account).toMatchObject({ balanceKrw });
  expect(inOrder.map(({ sequence }) => sequence)).toEqual(inOrder.map((_, index) => index + 2));
  expect(account.version).toBe(1 + entries.length);
  const charged = entries.map(({ reference }) => String(reference)).sort();
  expect(charged).toEqual(extractions.flatMap(({ extractionId }) => extractionId ?? []).sort());
  expect(new Set(charged).size).toBe(charged.length);
  return { account, charged, entries: inOrder };
}
