import { tables } from '../../functions/shared/resources.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Taking tokens of the buckets of rate limits: of every route that has limits, and of no worker. */
export const grantLimits: GrantMaker = ({ auth, isUnlimited }, { data }) => {
  if (auth === undefined || isUnlimited) return [];
  const { limits } = data.tables;
  return [
    {
      statements: [allow(['dynamodb:UpdateItem'], [limits.tableArn])],
      environment: { [tables.limits.environment]: limits.tableName },
    },
  ];
};
