import { SESSION_PARTITIONS, SIGNING_KEYS_PARTITION, USER_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { deploymentName } from '../names.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Authentication of users, by access token and by cookie. */
export const grantSessions: GrantMaker = ({ auth }, { data, config }) => {
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
        allow(
          ['dynamodb:BatchGetItem'],
          [accounts.tableArn],
          inPartitions(`${SESSION_PARTITIONS}*`, `${USER_PARTITIONS}*`),
        ),
        ...(byToken ? [allow(['dynamodb:GetItem'], [accounts.tableArn], inPartitions(SIGNING_KEYS_PARTITION))] : []),
      ],
      environment: {
        [tables.accounts.environment]: accounts.tableName,
        ...(byToken && { TOKEN_ISSUER: deploymentName(config) }),
      },
    },
  ];
};
