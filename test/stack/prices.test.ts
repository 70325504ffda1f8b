import { expect, it } from 'vitest';
import { completeChatRoute } from '../../functions/chat/completions/routes.ts';
import { executeAsyncRoute, executeRoute } from '../../functions/sandbox/routes.ts';
import { processRunWorker } from '../../functions/workflows/workers.ts';
import { functionRights } from '../helpers/rights/function-rights.ts';

// test/stack/access.test.ts holds the rights of a deployment without prices.
it.each([completeChatRoute.id, processRunWorker.id, executeRoute.id, executeAsyncRoute.id])(
  '%s knows its price where the deployment has one, and may change balances in the partitions of workspaces alone',
  async (id) => {
    const { environment, statements } = (await functionRights()).get(id)!;
    const price = id.startsWith('sandbox.') ? 'PRICE_SANDBOX_KRW_PER_SECOND' : 'PRICE_CHAT_KRW_PER_1K_TOKENS';
    expect(environment).toMatchObject({ [price]: '1', ACCOUNTS_TABLE: expect.any(String) });
    const ofMoney = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['WORKSPACE#*', 'OUTBOX'] } };
    const charges = statements.find(({ conditions }) => JSON.stringify(conditions) === JSON.stringify(ofMoney));
    expect([...charges!.actions].sort()).toEqual(
      ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map((action) => `dynamodb:${action}`),
    );
  },
);
