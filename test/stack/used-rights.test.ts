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
const hasReason = ({ id, resource, action }: GrantedRight) => unseenActions(id, resource).includes(action);

describe('the roles of functions', () => {
  it('are trimmed to what their code can use, for every route and worker', () => {
    const unknown = [...routes, ...workers].filter(({ id }) => usedRights[id] === undefined).map(({ id }) => id);
    expect(unknown, 'run `npm run rights -- <the tests of the new functions>`').toEqual([]);
  });

  it('grant nothing on tables and buckets that neither a traced call uses nor a reason explains', () => {
    expect(granted.filter((right) => !isUsed(right) && !hasReason(right))).toEqual([]);
  });

  it('grant at most 1.1 times what the code uses, and need few reasons', () => {
    const used = granted.filter(isUsed).length;
    expect(granted.length / used).toBeLessThanOrEqual(1.1);
    expect(granted.length).toBeGreaterThan(1000);
  });
});

it('a function that was never recorded keeps the rights that it declares', () => {
  const actions = ['dynamodb:GetItem', 'dynamodb:PutItem'];
  expect(trimmed('notes.create-note', 'table:accounts', actions)).toEqual(actions);
  expect(trimmed('accounts.get-balance', 'table:accounts', actions)).toEqual(['dynamodb:GetItem']);
});
