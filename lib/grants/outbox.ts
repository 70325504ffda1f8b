import { LINK_PARTITIONS, OUTBOX_PARTITION } from '../../functions/adapters/dynamodb/keys.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Taking mails from the outbox, which lies beside the balances: the right is limited to its partition. */
export const grantOutbox: GrantMaker = ({ access }, { data }) =>
  access.outbox
    ? [
        {
          statements: [
            allow(['dynamodb:UpdateItem', 'dynamodb:DeleteItem'], [data.tables.accounts.tableArn], {
              'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [OUTBOX_PARTITION] },
            }),
            // The links that mails bring.
            allow(['dynamodb:PutItem'], [data.tables.accounts.tableArn], {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${LINK_PARTITIONS}*`] },
            }),
          ],
        },
      ]
    : [];
