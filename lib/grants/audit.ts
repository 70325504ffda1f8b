import { AUDIT_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { allowTable, type GrantMaker, ofPartitions } from './grant.ts';

/** Adding to the audit trail, which is in the table of the balances: the right is limited to its partitions. */
export const grantAudit: GrantMaker = (sources) => [
  allowTable('accounts', ['PutItem'], sources, ofPartitions(AUDIT_PARTITIONS)),
];
