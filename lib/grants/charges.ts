import { OUTBOX_PARTITION, workspacePartition } from '../../functions/adapters/dynamodb/keys.ts';
import { allowTable, type Grant, type GrantMaker, ofPartitions, type Sources } from './grant.ts';

export const grantChatCharges: GrantMaker = (sources) =>
  grantCharges('PRICE_CHAT_KRW_PER_1K_TOKENS', sources.config.priceChatKrwPer1kTokens, sources);

export const grantSandboxCharges: GrantMaker = (sources) =>
  grantCharges('PRICE_SANDBOX_KRW_PER_SECOND', sources.config.priceSandboxKrwPerSecond, sources);

/** Holding and charging the price of work; nothing if the deployment has no price for it. */
function grantCharges(setting: string, price: number, sources: Sources): readonly Grant[] {
  if (price === 0) return [];
  return [
    // The account, its holds and its ledger; a repetition may find its hold.
    allowTable(
      'accounts',
      ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      sources,
      ofPartitions(workspacePartition('*'), OUTBOX_PARTITION),
    ),
    allowTable('usage', ['UpdateItem'], sources),
    { environment: { [setting]: String(price) } },
  ];
}
