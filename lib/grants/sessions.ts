import { SESSION_PARTITIONS, SIGNING_KEYS_PARTITION, USER_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { deploymentName } from '../names.ts';
import { allowTable, type GrantMaker } from './grant.ts';

/** Authentication of users, by access token and by cookie. */
export const grantSessions: GrantMaker = (entry, sources) => {
  const { auth } = entry;
  const { data, config } = sources;
  const byToken = auth?.includes('jwt') ?? false;
  if (!byToken && !auth?.includes('cookie')) return [];
  const { accounts } = data.tables;
  const inPartitions = (...partitions: readonly string[]) => ({
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
  });
  return [
    {
      statements: [
        // No more than that: neither balances nor password hashes.
        ...allowTable(
          entry,
          'accounts',
          ['dynamodb:BatchGetItem'],
          sources,
          inPartitions(`${SESSION_PARTITIONS}*`, `${USER_PARTITIONS}*`),
        ),
        ...(byToken
          ? allowTable(entry, 'accounts', ['dynamodb:GetItem'], sources, inPartitions(SIGNING_KEYS_PARTITION))
          : []),
      ],
      environment: {
        [tables.accounts.environment]: accounts.tableName,
        ...(byToken && { TOKEN_ISSUER: deploymentName(config) }),
      },
    },
  ];
};
