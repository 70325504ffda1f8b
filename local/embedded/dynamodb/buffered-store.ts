import type { Callback, Item, LevelWrite, Store, SubDatabase } from 'dynalite/db/index.js';

/** A view of the store that reads through and keeps the writes back, to be committed later as one batch. */
export interface BufferedStore extends Store {
  readonly writes: readonly LevelWrite[];
}

/**
 * dynalite writes an item and its index entries one by one. Through this view an action only collects them, so that
 * the caller can commit everything, of one action or of a whole transaction, in a single LevelDB batch: after a crash
 * either all of it is there or nothing. The caller holds the write lock; the item locks inside are therefore no-ops.
 */
export function bufferedStore(store: Store): BufferedStore {
  const writes: LevelWrite[] = [];

  const buffered = (underlying: SubDatabase, prefix: string): SubDatabase => ({
    lock: (_key, run) => run((callback) => callback),
    get: (key, callback: Callback<Item>) => underlying.get(key, callback),
    put(key, value, callback) {
      writes.push({ type: 'put', key: prefix + key, value });
      callback(null);
    },
    del(key, callback) {
      writes.push({ type: 'del', key: prefix + key });
      callback(null);
    },
  });

  // The prefixes are those of dynalite's own sub-databases (getItemDb and getIndexDb in its db/index.js).
  return Object.assign(Object.create(store) as Store, {
    writes,
    getItemDb: (table: string) => buffered(store.getItemDb(table), `item-${table}~`),
    getIndexDb: (type: string, table: string, index: string) =>
      buffered(store.getIndexDb(type, table, index), `index-${type.toLowerCase()}~${table}~${index}~`),
  });
}
