import { API_KEY_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allowTable, type GrantMaker } from './grant.ts';

/** Finding a key, and recording when it was last used. */
const CHECK_API_KEY = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];

/** Authentication of callers by API key. */
export const grantApiKeys: GrantMaker = (entry, sources) => {
  if (!entry.auth?.includes('api-key')) return [];
  const { accounts } = sources.data.tables;
  return [
    {
      // Keys only: recording the use of one must not be a right to write balances.
      statements: allowTable(entry, 'accounts', CHECK_API_KEY, sources, {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${API_KEY_PARTITIONS}*`] },
      }),
      environment: { [tables.accounts.environment]: accounts.tableName },
    },
  ];
};
