import { LINK_PARTITIONS, OUTBOX_PARTITION } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Mails in the outbox, which is in the table of balances: the right is limited to its partition. */
export const grantOutbox: GrantMaker = ({ access }, { data }) => {
  if (access.outbox === undefined) return [];
  const { accounts } = data.tables;
  const inOutbox = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [OUTBOX_PARTITION] } };
  if (access.outbox === 'add')
    return [
      {
        statements: [allow(['dynamodb:PutItem'], [accounts.tableArn], inOutbox)],
        environment: { [tables.accounts.environment]: accounts.tableName },
      },
    ];
  return [
    {
      statements: [
        allow(['dynamodb:UpdateItem', 'dynamodb:DeleteItem'], [accounts.tableArn], inOutbox),
        // The links that mails bring.
        allow(['dynamodb:PutItem'], [accounts.tableArn], {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${LINK_PARTITIONS}*`] },
        }),
      ],
    },
  ];
};
