import type { Item, Store } from 'dynalite/db/index.js';

/** Items of a table whose time has come, as dynalite stores them; they may have changed when the caller gets to them. */
export async function expiredItems(
  { db }: Store,
  { tableName, attribute, nowMs }: { readonly tableName: string; readonly attribute: string; readonly nowMs: number },
): Promise<Item[]> {
  const prefix = `item-${tableName}~`;
  const expired: Item[] = [];
  for await (const [, value] of db.iterator({ gte: prefix, lt: `${prefix}\uffff` })) {
    const item = value as Item;
    const seconds = item[attribute]?.N;
    if (typeof seconds === 'string' && Number(seconds) * 1000 < nowMs) expired.push(item);
  }
  return expired;
}
