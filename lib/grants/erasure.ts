import { buckets, tables } from '../../functions/shared/resources.ts';
import { allow, type Grant, type GrantMaker } from './grant.ts';
import { grantObjects } from './objects.ts';

const ERASE = ['dynamodb:Scan', 'dynamodb:BatchWriteItem'];
/** A shorter retention moves the ends of what it lets stay. */
const SHORTEN = ['dynamodb:UpdateItem'];

/** Erasing what any table or bucket has of a workspace. No other function may scan tables or list buckets. */
export const grantErasure: GrantMaker = (entry, sources) => {
  if (!entry.access.erasure) return [];
  const { data } = sources;
  return [
    ...Object.entries(tables).map(([id, { environment }]): Grant => {
      const table = data.tables[id as keyof typeof tables];
      const isShortened = ['extractions', 'conversations', 'runs'].includes(id);
      return {
        statements: [allow([...ERASE, ...(isShortened ? SHORTEN : [])], [table.tableArn])],
        environment: { [environment]: table.tableName },
      };
    }),
    ...(Object.keys(buckets) as (keyof typeof buckets)[]).flatMap((id): Grant[] => [
      grantObjects(entry, id, ['s3:DeleteObject'], sources),
      { statements: [allow(['s3:ListBucket'], [data.buckets[id].bucketArn])] },
    ]),
  ];
};
