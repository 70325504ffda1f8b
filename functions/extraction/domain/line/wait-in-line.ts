import { AccountBusy } from '../../../accounts/domain/change-account.ts';
import type { JudgedPage } from '../extraction.ts';
import { type PostLinePorts, postLine } from './post-line.ts';
import type { SettledCharge, Turn, WaitingSettlement, WaitingState } from './settlement-line.ts';

/** Longer than a healthy line takes; what has not been posted by then is sent again with less to wait for. */
const MAX_WAIT_MS = 10_000;
/** Part of a call's time that is reserved for giving up. */
const RESERVE_MS = 500;
/** A caller posts for others no longer than this, in which its own answer waits. */
const TURN_MS = 1_000;
/** Number of polls after which the pauses stop growing. */
const MAX_PAUSE = 6;

/** Time until which a settlement that joins the line now may be posted. @param deadlineMs of its call */
export function lineDeadlineMs(nowMs: number, deadlineMs: number): number {
  return Math.min(nowMs + MAX_WAIT_MS, deadlineMs - RESERVE_MS);
}

/**
 * Waits in the line of the workspace until the settlement is posted, by another caller or, when its turn comes, by this one.
 * @returns null if it was dropped: its lease is lost, or the balance did not cover it. It will never be posted then.
 * @throws AccountBusy when its time is over; any other error of a port. It was not posted then, and never will be, unless removing it
 * from the line has failed as well.
 */
export async function waitInLine(
  waiting: WaitingSettlement,
  page: JudgedPage,
  ports: PostLinePorts,
): Promise<SettledCharge | null> {
  try {
    await ports.line.join(waiting, page);
    const state = await whileWaiting(waiting, ports);
    if (state.kind === 'settled') return state;
    if (state.kind === 'gone' && ports.clock.now() < waiting.deadlineMs) return null;
  } catch (error) {
    // When this fails too, the first error is the one to report.
    const state = await leave(waiting, ports).catch(() => null);
    if (state?.kind === 'settled') return state;
    throw error;
  }
  const state = await leave(waiting, ports);
  if (state.kind === 'settled') return state;
  throw new AccountBusy();
}

/** The state of the settlement once it does not wait any more, or its time is over. */
async function whileWaiting(waiting: WaitingSettlement, ports: PostLinePorts): Promise<WaitingState> {
  const { line, clock, backoff } = ports;
  const { workspaceId, extractionId: holder, deadlineMs } = waiting;
  for (let polls = 1; ; polls++) {
    const nowMs = clock.now();
    const turn = { workspaceId, holder, untilMs: Math.min(nowMs + TURN_MS, deadlineMs) };
    if (await line.takeTurn(turn, nowMs)) await post(turn, ports);
    else await backoff.wait(Math.min(polls + 1, MAX_PAUSE));
    const state = await line.state(waiting);
    if (state.kind !== 'waiting' || clock.now() >= deadlineMs) return state;
  }
}

async function post(turn: Turn, ports: PostLinePorts): Promise<void> {
  try {
    await postLine(turn, ports);
  } finally {
    // When this fails the turn ends by itself.
    await ports.line.endTurn(turn).catch(() => undefined);
  }
}

/** Takes a settlement out of the line; it will not be posted from now on. */
async function leave(waiting: WaitingSettlement, { line }: PostLinePorts): Promise<WaitingState> {
  await line.drop([waiting]);
  return line.state(waiting);
}
