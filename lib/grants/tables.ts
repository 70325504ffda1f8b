import type { TableRight } from '../../functions/shared/access.ts';
import { tables } from '../../functions/shared/resources.ts';
import { allowTable, entriesOf, type GrantMaker } from './grant.ts';

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', 'dynamodb:ConditionCheckItem'];
/** The rights for its items allow a transaction; a batch of puts and deletes needs a separate right. */
const WRITE = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'];

const ACTIONS: Readonly<Record<TableRight, readonly string[]>> = {
  read: READ,
  'read-write': [...READ, ...WRITE],
  scan: [...READ, 'dynamodb:Scan'],
  add: ['dynamodb:UpdateItem'],
};

export const grantTables: GrantMaker = (entry, sources) =>
  entriesOf(entry.access.tables ?? {}).map(([id, right]) => ({
    statements: allowTable(entry, id, ACTIONS[right], sources),
    environment: { [tables[id].environment]: sources.data.tables[id].tableName },
  }));
