import { setTimeout as sleep } from 'node:timers/promises';
import type { LevelWrite, Store } from 'dynalite/db/index.js';
import { operations } from './operations.ts';

const TABLE_PREFIX = 'table~';

/**
 * dynalite marks a new table CREATING and makes it ACTIVE on a timer. A process that dies in between leaves a table that can neither be
 * used nor created again, so pending work is completed when the database is opened.
 */
export async function settleTables({ db }: Store): Promise<void> {
  const writes: LevelWrite[] = [];
  for await (const [key, value] of db.iterator({ gte: TABLE_PREFIX, lt: `${TABLE_PREFIX}\uffff` })) {
    const table = value as { TableStatus?: string };
    if (table.TableStatus === 'DELETING') writes.push({ type: 'del', key });
    else if (table.TableStatus !== 'ACTIVE')
      writes.push({ type: 'put', key, value: { ...table, TableStatus: 'ACTIVE' } });
  }
  if (writes.length > 0) await db.batch(writes);
}

/** Waits out dynalite's timer, so that a created table can be used at once and a clean close leaves it usable. */
export async function untilActive(store: Store, tableName: unknown): Promise<void> {
  for (;;) {
    const { Table } = await operations.DescribeTable.run(store, { TableName: tableName });
    if ((Table as { TableStatus: string }).TableStatus === 'ACTIVE') return;
    await sleep(1);
  }
}
