import { AUDIT_PARTITIONS } from '../../functions/adapters/dynamodb/keys.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Adding to the audit trail, which lies in the table of the balances: the right is limited to its partitions. */
export const grantAudit: GrantMaker = ({ access }, { data }) => {
  if (!access.audit) return [];
  const { accounts } = data.tables;
  return [
    {
      statements: [
        allow(['dynamodb:PutItem'], [accounts.tableArn], {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [AUDIT_PARTITIONS] },
        }),
      ],
      environment: { [tables.accounts.environment]: accounts.tableName },
    },
  ];
};
