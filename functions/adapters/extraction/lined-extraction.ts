import { gzipSync } from 'node:zlib';
import { MAX_RETENTION_DAYS } from '../../accounts/domain/data-settings.ts';
import type { JudgedPage } from '../../extraction/domain/extraction.ts';
import type { SettledCharge, WaitingSettlement } from '../../extraction/domain/line/settlement-line.ts';
import { type ExtractionOrigin, originOf } from '../../extraction/domain/stored-extraction.ts';
import { type Change, equal } from '../dynamodb/expressions.ts';
import { epochSeconds, linedExtractionKey, linedPageKey, linedStateKey } from '../dynamodb/keys.ts';
import { listedMembers } from './dynamo-extractions.ts';
import type { LinedState } from './lined-state.ts';

const DAY_SECONDS = 24 * 60 * 60;

export const IS_WAITING = equal('status', 'waiting' satisfies LinedState['status']);

/** It stays for as long as what a crash leaves behind: so that nothing that arrives late makes it wait again. */
export const DROPPED: Change = {
  set: { status: 'dropped' satisfies LinedState['status'] },
  condition: IS_WAITING,
};

export function waitingState({ workspaceId, extractionId }: WaitingSettlement, expiresAt: number) {
  const state: LinedState = { status: 'waiting' };
  return { ...linedStateKey(workspaceId, extractionId), workspaceId, extractionId, ...state, expiresAt };
}

export function settledChange(charge: SettledCharge, nowMs: number, keptDays = MAX_RETENTION_DAYS): Change {
  const state: LinedState = {
    status: 'settled',
    ...charge,
    createdAt: new Date(nowMs).toISOString(),
    // Waiting callers read it, even if no page is kept.
    expiresAt: epochSeconds(nowMs) + Math.max(1, keptDays) * DAY_SECONDS,
  };
  return { set: { ...state }, condition: IS_WAITING };
}

/** Gzipped, as the page of every extraction. Stored before its settlement, it is there for as long. */
export function linedPage(waiting: WaitingSettlement, page: JudgedPage) {
  const { workspaceId, extractionId, keptDays = MAX_RETENTION_DAYS, joinedAtMs } = waiting;
  return {
    ...linedPageKey(workspaceId, extractionId),
    page: gzipSync(JSON.stringify(page)),
    origin: originIn(waiting),
    expiresAt: epochSeconds(joinedAtMs) + (keptDays + 1) * DAY_SECONDS,
  };
}

/** The list entry in the workspace's partition; it counts once its state is settled. */
export function linedEntry(waiting: WaitingSettlement, page: JudgedPage) {
  const { workspaceId, extractionId, keptDays = MAX_RETENTION_DAYS, joinedAtMs } = waiting;
  return {
    ...linedExtractionKey(workspaceId, extractionId),
    extractionId,
    ...listedMembers(page),
    origin: originIn(waiting),
    createdAt: new Date(joinedAtMs).toISOString(),
    expiresAt: epochSeconds(joinedAtMs) + keptDays * DAY_SECONDS,
  };
}

function originIn({ completes, uploadKey, labels }: WaitingSettlement): ExtractionOrigin {
  const lease = completes !== null && 'lease' in completes ? completes.lease : null;
  return originOf(lease, uploadKey ?? null, labels);
}
