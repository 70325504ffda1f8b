import { AUDIT_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allowTable, type GrantMaker } from './grant.ts';

/** Adding to the audit trail, which lies in the table of the balances: the right is limited to its partitions. */
export const grantAudit: GrantMaker = (entry, sources) => {
  if (!entry.access.audit) return [];
  const { accounts } = sources.data.tables;
  return [
    {
      statements: allowTable(entry, 'accounts', ['dynamodb:PutItem'], sources, {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [AUDIT_PARTITIONS] },
      }),
      environment: { [tables.accounts.environment]: accounts.tableName },
    },
  ];
};
