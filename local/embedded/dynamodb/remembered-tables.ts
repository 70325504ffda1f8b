import type { Store } from 'dynalite/db/index.js';

/**
 * dynalite reads the description of a table from disk with every operation on it. This keeps those that were read, as text:
 * actions change what they get.
 */
export function rememberTables({ tableDb }: Store): void {
  const { get, put, del } = tableDb;
  const texts = new Map<string, string>();
  let changes = 0;
  const forget = (name: string): void => {
    changes += 1;
    texts.delete(name);
  };

  tableDb.get = (name, callback) => {
    const text = texts.get(name);
    if (text !== undefined) return callback(null, JSON.parse(text));
    const before = changes;
    get(name, (error, table) => {
      if (!error && table !== undefined && before === changes) texts.set(name, JSON.stringify(table));
      callback(error, table);
    });
  };
  tableDb.put = (name, table, callback) => {
    forget(name);
    put(name, table, (error) => {
      // Whoever read it meanwhile may have read what it was.
      forget(name);
      callback(error);
    });
  };
  tableDb.del = (name, callback) => {
    forget(name);
    del(name, (error) => {
      forget(name);
      callback(error);
    });
  };
}
