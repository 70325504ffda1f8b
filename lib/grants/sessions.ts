import { SESSION_PARTITIONS, SIGNING_KEYS_PARTITION, USER_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { deploymentName } from '../names.ts';
import { allowTable, type GrantMaker, ofPartitions } from './grant.ts';

/** Authentication of users by cookie, and by access token: neither balances nor password hashes can be read. */
export function grantSessions({ byToken }: { readonly byToken: boolean }): GrantMaker {
  return (sources) => [
    allowTable('accounts', ['BatchGetItem'], sources, ofPartitions(`${SESSION_PARTITIONS}*`, `${USER_PARTITIONS}*`)),
    ...(byToken
      ? [
          allowTable('accounts', ['GetItem'], sources, ofPartitions(SIGNING_KEYS_PARTITION)),
          { environment: { TOKEN_ISSUER: deploymentName(sources.config) } },
        ]
      : []),
  ];
}
