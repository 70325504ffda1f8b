import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoSessionTurns } from '../../../functions/adapters/chat/dynamo-session-turns.ts';
import { ProcessSessionTurns } from '../../../functions/adapters/chat/process-session-turns.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import type { SessionId } from '../../../functions/chat/domain/conversations.ts';
import {
  MAX_TURN_WAIT_MS,
  MAX_WAITING_TURNS,
  type SessionTurns,
} from '../../../functions/chat/domain/session-turns.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const clock = testClock();
const inDynamo = (at = clock) =>
  new DynamoSessionTurns(dynamo.client, TABLES.conversations, {
    ...{ clock: at, ids: ulidIds, backoff: { wait: () => sleep(1) } },
    pause: { wait: () => sleep(1) },
  });
const newSession = (): SessionId => ({
  ...{ workspaceId: randomUUID(), applicationId: 'app', caller: { kind: 'key', id: 'k' }, sessionId: 'one' },
});
const { signal } = new AbortController();

const adapters: readonly [string, () => SessionTurns][] = [
  ['within a process', () => new ProcessSessionTurns()],
  ['in a table', () => inDynamo()],
];

describe.each(adapters)('turns of a session %s', (_, make) => {
  it('come one after another, in the order of their arrival', async () => {
    const [turns, session] = [make(), newSession()];
    const seen: string[] = [];
    const first = await turns.takeTurn(session, signal);
    const others: Promise<void>[] = [];
    for (const name of ['b', 'c', 'd']) {
      const turn = turns.takeTurn(session, signal).then(async (end) => {
        seen.push(`${name} begins`);
        await sleep(1);
        seen.push(`${name} ends`);
        await end();
      });
      others.push(turn);
      // It has a place before the next one asks.
      await sleep(30);
    }
    expect(seen).toEqual([]);
    await first();
    await Promise.all(others);
    expect(seen).toEqual(['b', 'c', 'd'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('exclude each other however many ask at the same moment', async () => {
    const [turns, session] = [make(), newSession()];
    let running = 0;
    let most = 0;
    const one = async () => {
      const end = await turns.takeTurn(session, signal);
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      await end();
    };
    await Promise.all(Array.from({ length: 8 }, one));
    expect(most).toBe(1);
  });

  it('are refused where too many wait, and free their place when their client leaves', async () => {
    const [turns, session] = [make(), newSession()];
    const end = await turns.takeTurn(session, signal);
    const leaving = new AbortController();
    const waiting: Promise<unknown>[] = [];
    for (let n = 0; n < MAX_WAITING_TURNS; n++) {
      waiting.push(turns.takeTurn(session, leaving.signal).catch(() => 'left'));
      await sleep(20);
    }
    await expect(turns.takeTurn(session, signal)).rejects.toMatchObject({ code: 'session_busy' });
    const other = await turns.takeTurn(newSession(), signal);
    await other();
    leaving.abort(new Error('left'));
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'left'));
    await end();
    await (await turns.takeTurn(session, signal))();
  });

  it('leave the client that has left already no place', async () => {
    const [turns, session] = [make(), newSession()];
    const end = await turns.takeTurn(session, signal);
    await expect(turns.takeTurn(session, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    await end();
    await (await turns.takeTurn(session, signal))();
  });
});

it('a message that waits for too long within a process is refused', async () => {
  const turns = new ProcessSessionTurns(5);
  const session = newSession();
  const end = await turns.takeTurn(session, signal);
  await expect(turns.takeTurn(session, signal)).rejects.toMatchObject({ code: 'session_busy' });
  await end();
  await (await turns.takeTurn(session, signal))();
});

it('a message that waits for too long in a table is refused, and one whose function has died keeps none waiting', async () => {
  const session = newSession();
  const [own, others] = [testClock(), testClock()];
  await inDynamo(own).takeTurn(session, signal);
  const waiting = inDynamo(own).takeTurn(session, signal);
  const refused = expect(waiting).rejects.toMatchObject({ code: 'session_busy' });
  await sleep(30);
  own.advance(MAX_TURN_WAIT_MS / 1_000);
  await refused;
  others.advance(21);
  await (await inDynamo(others).takeTurn(session, signal))();
});
