import { createRequire } from 'node:module';
import type { Callback, Store } from 'dynalite/db/index.js';
import { checkTypes, checkValidations } from 'dynalite/validations/index.js';
import { rememberExpressions } from './parsed-expressions.ts';

/** How an operation touches the store, which decides how it is isolated from the others. */
export type Kind = 'read' | 'write' | 'table';

const kinds = {
  GetItem: 'read',
  BatchGetItem: 'read',
  Query: 'read',
  Scan: 'read',
  DescribeTable: 'read',
  DescribeTimeToLive: 'read',
  ListTables: 'read',
  ListTagsOfResource: 'read',
  PutItem: 'write',
  UpdateItem: 'write',
  DeleteItem: 'write',
  BatchWriteItem: 'write',
  CreateTable: 'table',
  UpdateTable: 'table',
  DeleteTable: 'table',
  TagResource: 'table',
  UntagResource: 'table',
} as const satisfies Record<string, Kind>;

export type OperationName = keyof typeof kinds;
export type Input = Readonly<Record<string, unknown>>;
export type Output = Record<string, unknown>;

interface Operation {
  readonly kind: Kind;
  /** Checked input, with its expressions parsed. Throws DynamoDB's validation error. */
  parse(input: Input, store: Store): Record<string, unknown>;
  run(store: Store, parsed: object): Promise<Output>;
}

rememberExpressions();

type Action = (store: Store, input: object, callback: Callback<object>) => void;
interface Validation {
  readonly types: object;
  readonly custom: unknown;
}

// dynalite's modules are found by name, and a static import would load all of them as untyped CommonJS anyway.
const require = createRequire(import.meta.url);

function load(name: OperationName): Operation {
  const file = `${name[0]?.toLowerCase()}${name.slice(1)}.js`;
  const action: Action = require(`dynalite/actions/${file}`);
  const validation: Validation = require(`dynalite/validations/${file}`);
  return {
    kind: kinds[name],
    parse(input, store) {
      // checkTypes drops unknown members from its argument, hence the copy.
      const parsed = checkTypes({ ...input }, validation.types);
      checkValidations(parsed, validation.types, validation.custom, store);
      return parsed;
    },
    run: (store, parsed) =>
      new Promise((resolve, reject) => {
        action(store, parsed, (error, output) => (error ? reject(error) : resolve({ ...output })));
      }),
  };
}

export const operations = Object.fromEntries(
  Object.keys(kinds).map((name) => [name, load(name as OperationName)]),
) as Readonly<Record<OperationName, Operation>>;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(kinds, name);
}
