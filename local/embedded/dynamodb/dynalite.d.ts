// The parts of dynalite 4 used by the embedded DynamoDB. dynalite ships no types and no transactions; its actions, validations and store
// are used as a library, without its HTTP server.

declare module 'dynalite/db/index.js' {
  export type AttributeValue = Record<string, unknown>;
  export type Item = Record<string, AttributeValue>;
  export type Callback<T> = (error: Error | null | undefined, value?: T) => void;
  export interface Table {
    TableName: string;
    TableStatus: string;
    KeySchema: { AttributeName: string; KeyType: string }[];
  }
  export interface SubDatabase {
    lock(key: string, run: (release: <C>(callback: C) => C) => void): void;
    get(key: string, callback: Callback<Item>): void;
    put(key: string, value: unknown, callback: Callback<void>): void;
    del(key: string, callback: Callback<void>): void;
  }
  export type LevelWrite = { type: 'put'; key: string; value: unknown } | { type: 'del'; key: string };
  export interface LevelDatabase {
    open(): Promise<void>;
    get(key: string): Promise<unknown>;
    getSync(key: string): unknown;
    batch(writes: LevelWrite[], ...more: unknown[]): Promise<void>;
    /** Absent in memory. */
    compactRange?(start: string, end: string): Promise<void>;
    keys(range: object): AsyncIterable<string>;
    values(range: object): AsyncIterable<unknown>;
    iterator(range: object): AsyncIterable<[string, unknown]>;
    createKeyStream(range?: object): import('node:stream').Readable;
    createValueStream(range?: object): import('node:stream').Readable;
  }
  export interface Store {
    options: { maxItemSize: number };
    db: LevelDatabase;
    lifecycleManager: { gracefulClose(): Promise<void> };
    getTable(name: string, callback: Callback<Table>): void;
    getItemDb(table: string): SubDatabase;
    getIndexDb(indexType: string, table: string, index: string): SubDatabase;
  }
  export function create(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }): Store;
  export function createKey(item: Item, table: Table): string;
  export function validateKey(key: Item, table: Table): Error | null | undefined;
  export function validateItem(item: Item, table: Table): Error | null | undefined;
  export function itemSize(item: Item): number;
}

declare module 'dynalite/validations/index.js' {
  import type { Store } from 'dynalite/db/index.js';
  export function checkTypes(input: object, types: object): Record<string, unknown>;
  export function checkValidations(input: object, types: object, custom: unknown, store: Store): void;
}

declare module 'dynalite/validations/*' {
  export const types: object;
  export const custom: unknown;
}

declare module 'dynalite/actions/*' {
  import type { Callback, Store } from 'dynalite/db/index.js';

  function action(store: Store, input: object, callback: Callback<object>): void;
  export = action;
}
