import { buckets, tables } from '../../functions/shared/resources.ts';
import { grantBucket } from './buckets.ts';
import { allowTable, entriesOf, type GrantMaker } from './grant.ts';

/** A shorter retention moves the ends of the records that it lets stay. */
const SHORTENED: readonly string[] = ['conversations', 'extractions', 'runs'];

/** Erasing the data of a workspace from every table and bucket. No other function may scan tables. */
export const grantErasure: GrantMaker = (sources) => [
  ...entriesOf(tables).map(([id]) =>
    allowTable(id, ['Scan', 'BatchWriteItem', ...(SHORTENED.includes(id) ? (['UpdateItem'] as const) : [])], sources),
  ),
  ...entriesOf(buckets).flatMap(([bucket]) =>
    grantBucket({ kind: 'bucket', bucket, actions: ['DeleteObject', 'ListBucket'] }, sources),
  ),
];
