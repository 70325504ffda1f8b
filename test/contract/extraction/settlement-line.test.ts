import { ProvisionedThroughputExceededException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoSettlementLine } from '../../../functions/adapters/extraction/dynamo-settlement-line.ts';
import { DynamoIdempotency } from '../../../functions/adapters/shared/dynamo-idempotency.ts';
import type { JudgedPage } from '../../../functions/extraction/domain/extraction.ts';
import type { WaitingSettlement } from '../../../functions/extraction/domain/line/settlement-line.ts';
import { Contention } from '../../../functions/shared/contention.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { instantBackoff } from '../../helpers/fakes.ts';

const NOW = Date.parse('2026-11-22T03:00:00Z');
const ABOUT = { $metadata: {}, message: 'refused' };
const conflict = () => new TransactionConflictException(ABOUT);
const throttled = () => new ProvisionedThroughputExceededException(ABOUT);

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** The line over a DynamoDB that refuses the first commands of a name. */
function lineThatMeets(command: string, refusals: readonly Error[]) {
  const client = dynamo.newClient();
  const left = [...refusals];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const refusal = commandName === command ? left.shift() : undefined;
        if (refusal !== undefined) throw refusal;
        return next(args);
      },
    { step: 'initialize' },
  );
  const keys = new DynamoIdempotency(client, TABLES.idempotency);
  return { line: new DynamoSettlementLine(client, TABLES, keys, instantBackoff), left, done: () => client.destroy() };
}

const waiting = (extractionId: string): WaitingSettlement => ({
  extractionId,
  workspaceId: 'ws_line',
  keyId: null,
  completes: null,
  joinedAtMs: NOW,
  deadlineMs: NOW + 10_000,
});
const page = { items: [], summary: { needsReview: 0 } } as unknown as JudgedPage;

it('gives up a settlement although a posting of it is under way', async () => {
  const { line, left, done } = lineThatMeets('UpdateItemCommand', [conflict(), conflict()]);
  await line.join(waiting('ext_1'), page);
  await line.drop([waiting('ext_1')]);
  expect(left).toEqual([]);
  expect(await line.state(waiting('ext_1'))).toEqual({ kind: 'gone' });
  expect(await line.first('ws_line', 10)).toEqual([]);
  done();
});

it('says that it could not when the posting never ends', async () => {
  const { line, done } = lineThatMeets('UpdateItemCommand', Array.from({ length: 20 }, conflict));
  await line.join(waiting('ext_2'), page);
  await expect(line.drop([waiting('ext_2')])).rejects.toThrow(TransactionConflictException);
  expect(await line.state(waiting('ext_2'))).toEqual({ kind: 'waiting' });
  done();
});

it('a call that joins learns that a partition is throttled; the others continue', async () => {
  const joining = lineThatMeets('PutItemCommand', [throttled(), throttled()]);
  await expect(joining.line.join(waiting('ext_3'), page)).rejects.toThrow(Contention);
  const asking = lineThatMeets('GetItemCommand', [throttled()]);
  const turn = { workspaceId: 'ws_line', holder: 'ext_3', untilMs: NOW + 1000 };
  expect(await asking.line.takeTurn(turn, NOW)).toBe(false);
  expect(await asking.line.takeTurn(turn, NOW)).toBe(true);
  const clearing = lineThatMeets('BatchWriteItemCommand', [throttled(), throttled()]);
  await clearing.line.join(waiting('ext_4'), page);
  await clearing.line.clear([waiting('ext_4')]);
  expect((await clearing.line.first('ws_line', 10)).map(({ extractionId }) => extractionId)).not.toContain('ext_4');
  for (const { done } of [joining, asking, clearing]) done();
});

it('lets one caller at a time post, and the next one when the time of a turn is over', async () => {
  const { line, done } = lineThatMeets('none', []);
  const turnOf = (holder: string, untilMs: number) => ({ workspaceId: 'ws_turns', holder, untilMs });
  expect(await line.takeTurn(turnOf('a', NOW + 1000), NOW)).toBe(true);
  expect(await line.takeTurn(turnOf('b', NOW + 1500), NOW + 999)).toBe(false);
  expect(await line.takeTurn(turnOf('b', NOW + 2000), NOW + 1000)).toBe(true);
  // That of another is not its own to end.
  await line.endTurn(turnOf('a', NOW + 1000));
  expect(await line.takeTurn(turnOf('a', NOW + 2500), NOW + 1500)).toBe(false);
  await line.endTurn(turnOf('b', NOW + 2000));
  expect(await line.takeTurn(turnOf('a', NOW + 2500), NOW + 1500)).toBe(true);
  done();
});
