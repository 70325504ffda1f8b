import { OUTBOX_PARTITION, workspacePartition } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allowTable, type GrantMaker } from './grant.ts';

/** The account, its holds and its ledger; a repetition may find its hold. */
const CHARGE = [
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
] as const;

/** Holding and charging the price of work; nothing where the deployment has no price for it. */
export const grantCharges: GrantMaker = (entry, sources) => {
  const { charges } = entry.access;
  const { config, data } = sources;
  if (charges === undefined) return [];
  const [setting, price] =
    charges === 'chat'
      ? (['PRICE_CHAT_KRW_PER_1K_TOKENS', config.priceChatKrwPer1kTokens] as const)
      : (['PRICE_SANDBOX_KRW_PER_SECOND', config.priceSandboxKrwPerSecond] as const);
  if (price === 0) return [];
  const { accounts, usage } = data.tables;
  const ofMoney = {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [workspacePartition('*'), OUTBOX_PARTITION] },
  };
  return [
    {
      statements: [
        ...allowTable(entry, 'accounts', CHARGE, sources, ofMoney),
        ...allowTable(entry, 'usage', ['dynamodb:UpdateItem'], sources),
      ],
      environment: {
        [setting]: String(price),
        [tables.accounts.environment]: accounts.tableName,
        [tables.usage.environment]: usage.tableName,
      },
    },
  ];
};
