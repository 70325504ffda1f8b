import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { workers } from '../../functions/workers.ts';
import { unseenActions } from '../../lib/grants/unseen-rights.ts';
import { trimmed, usedRights } from '../../lib/grants/used-rights.ts';
import { type GrantedRight, grantedRights } from '../helpers/rights/granted-rights.ts';

let granted: readonly GrantedRight[];
beforeAll(async () => {
  granted = await grantedRights();
});

const isUsed = ({ id, resource, action }: GrantedRight) =>
  usedRights[id]?.[resource]?.split(' ').includes(action) ?? false;
/** Lambda's own calls, when it reads a queue for a function. */
const EVENT_SOURCE: readonly string[] = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
const isOfEventSource = ({ id, resource, action }: GrantedRight) => {
  const { queues = {} } = workers.find((worker) => worker.id === id)?.access ?? {};
  const right = Object.entries(queues).find(([queue]) => resource === `queue:${queue}`)?.[1];
  return EVENT_SOURCE.includes(action) && (right?.startsWith('consume') ?? false);
};
const hasReason = ({ id, resource, action }: GrantedRight) => unseenActions(id, resource).includes(action);

describe('the roles of functions', () => {
  it('are trimmed to what their code can use, for every route and worker', () => {
    const unknown = [...routes, ...workers].filter(({ id }) => usedRights[id] === undefined).map(({ id }) => id);
    expect(unknown, 'run `npm run rights -- <the tests of the new functions>`').toEqual([]);
  });

  it('grant nothing on resources that neither a traced call uses nor a reason explains', () => {
    expect(granted.filter((right) => !isUsed(right) && !hasReason(right) && !isOfEventSource(right))).toEqual([]);
  });

  it.each(['queue:', 'key:secrets', 'secrets', 'functions'])('are known for resources like %s too', (kind) => {
    expect(granted.filter(({ resource }) => resource.startsWith(kind)).length).toBeGreaterThan(10);
  });

  it('grant at most 1.1 times what the code uses, and need few reasons', () => {
    const ofCode = granted.filter((right) => !isOfEventSource(right));
    const used = ofCode.filter(isUsed).length;
    expect(ofCode.length / used).toBeLessThanOrEqual(1.1);
    expect(ofCode.length).toBeGreaterThan(1000);
  });
});

it('a function that was never recorded keeps the rights that it declares', () => {
  const actions = ['dynamodb:GetItem', 'dynamodb:PutItem'];
  expect(trimmed('notes.create-note', 'table:accounts', actions)).toEqual(actions);
  expect(trimmed('accounts.get-balance', 'table:accounts', actions)).toEqual(['dynamodb:GetItem']);
});

it.each([
  ['queue:runs', 'sqs:SendMessage'],
  ['key:secrets', 'kms:Decrypt'],
  ['secrets', 'secretsmanager:GetSecretValue'],
  ['functions', 'lambda:InvokeFunction'],
])('a function that declares %s without using it gets no %s', (resource, action) => {
  expect(trimmed('accounts.get-balance', resource, [action])).toEqual([]);
});
