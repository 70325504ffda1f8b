import { gzipSync } from 'node:zlib';
import type { JudgedPage } from '../../extraction/domain/extraction.ts';
import type { SettledCharge, WaitingSettlement } from '../../extraction/domain/line/settlement-line.ts';
import { EXTRACTION_KEPT_DAYS } from '../../extraction/domain/stored-extraction.ts';
import { type Change, equal } from '../dynamodb/expressions.ts';
import { epochSeconds, linedPageKey, linedStateKey } from '../dynamodb/keys.ts';

const KEPT_SECONDS = EXTRACTION_KEPT_DAYS * 24 * 60 * 60;
/** A page is stored before its settlement, and is there for as long. */
const PAGE_KEPT_SECONDS = KEPT_SECONDS + 24 * 60 * 60;

/** What decides on a settlement of the line, and makes its page an extraction. */
export type LinedState =
  | { readonly status: 'waiting' }
  | { readonly status: 'dropped' }
  | (SettledCharge & { readonly status: 'settled'; readonly createdAt: string; readonly expiresAt: number });

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

export function settledChange(charge: SettledCharge, nowMs: number): Change {
  const state: LinedState = {
    status: 'settled',
    ...charge,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: epochSeconds(nowMs) + KEPT_SECONDS,
  };
  return { set: { ...state }, condition: IS_WAITING };
}

/** Gzipped, as the page of every extraction. */
export function linedPage(workspaceId: string, extractionId: string, page: JudgedPage, nowMs: number) {
  return {
    ...linedPageKey(workspaceId, extractionId),
    page: gzipSync(JSON.stringify(page)),
    expiresAt: epochSeconds(nowMs) + PAGE_KEPT_SECONDS,
  };
}
