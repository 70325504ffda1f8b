import { API_KEY_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { allowTable, type GrantMaker, ofPartitions } from './grant.ts';

/** Finding API keys and recording when they were last used: keys only, since recording must not be a right to write balances. */
export const grantApiKeys: GrantMaker = (sources) => [
  allowTable('accounts', ['GetItem', 'UpdateItem'], sources, ofPartitions(`${API_KEY_PARTITIONS}*`)),
];
