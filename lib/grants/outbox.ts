import { LINK_PARTITIONS, OUTBOX_PARTITION } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allowTable, type GrantMaker } from './grant.ts';

/** Mails in the outbox, which is in the table of balances: the right is limited to its partition. */
export const grantOutbox: GrantMaker = (entry, sources) => {
  const { access } = entry;
  if (access.outbox === undefined) return [];
  const { accounts } = sources.data.tables;
  const inOutbox = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [OUTBOX_PARTITION] } };
  if (access.outbox === 'add')
    return [
      {
        statements: allowTable(entry, 'accounts', ['dynamodb:PutItem'], sources, inOutbox),
        environment: { [tables.accounts.environment]: accounts.tableName },
      },
    ];
  return [
    {
      statements: [
        ...allowTable(entry, 'accounts', ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'], sources, inOutbox),
        // The links that mails bring.
        ...allowTable(entry, 'accounts', ['dynamodb:PutItem'], sources, {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${LINK_PARTITIONS}*`] },
        }),
      ],
    },
  ];
};
