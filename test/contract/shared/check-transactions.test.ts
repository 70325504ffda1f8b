import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkTransactions } from '../../../local/external/check-transactions.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A client whose transactions forget their conditions, as they do where a store cannot lock an item that is not there. */
function forgetful() {
  const client = dynamo.newClient();
  client.middlewareStack.add(
    (next) => (args) => {
      const { TransactItems = [] } = args.input as { TransactItems?: { Put?: { ConditionExpression?: string } }[] };
      for (const { Put } of TransactItems) delete Put?.ConditionExpression;
      return next(args);
    },
    { step: 'initialize' },
  );
  return client;
}

it('accepts a store on which one of several transactions that create the same items succeeds', async () => {
  await checkTransactions(dynamo.client, TABLES.limits);
});

it('refuses a store on which two transactions create the same item, and says that balances would not be safe', async () => {
  const client = forgetful();
  await expect(checkTransactions(client, TABLES.limits)).rejects.toThrow(/not atomic.*Balances would not be safe/);
  client.destroy();
});
