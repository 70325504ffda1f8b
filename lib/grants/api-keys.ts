import { API_KEY_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Finding a key, and recording when it was last used. */
const CHECK_API_KEY = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];

/** Authentication of callers by API key. */
export const grantApiKeys: GrantMaker = ({ auth }, { data }) => {
  if (!auth?.includes('api-key')) return [];
  const { accounts } = data.tables;
  return [
    {
      statements: [
        // Keys only: recording the use of one must not be a right to write balances.
        allow(CHECK_API_KEY, [accounts.tableArn], {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${API_KEY_PARTITIONS}*`] },
        }),
      ],
      environment: { [tables.accounts.environment]: accounts.tableName },
    },
  ];
};
