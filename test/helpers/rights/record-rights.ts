import { appendFileSync } from 'node:fs';
import { buckets, tables } from '../../../functions/shared/resources.ts';
import type { NeededRight } from './calls.ts';

/** A use of a store by a function: `bin/rights.ts` makes `lib/grants/store-rights.json` of them. */
export interface RecordedRight {
  /** The function that ran. */
  readonly id: string;
  /** Methods and functions of the service on the way to the call, the innermost first: `DynamoAccounts.find`. */
  readonly callers: readonly string[];
  /** For example `table:accounts`. */
  readonly resource: string;
  readonly action: string;
}

const RESOURCES = { table: tables, bucket: buckets } as const;
/** Helpers of all stores. */
const SHARED = /\/functions\/adapters\/(dynamodb|s3)\//;
const MAX_FRAMES = 60;

/** Writes a line for each use, once each. */
export function recorder(file: string): (id: string, needed: NeededRight) => void {
  const known = new Set<string>();
  return (id, { action, resource }) => {
    const used = resourceOf(resource);
    if (used === undefined) return;
    const right = { id, callers: callers(), resource: used, action: action.split(':')[1]! } satisfies RecordedRight;
    const line = JSON.stringify(right);
    if (known.has(line)) return;
    known.add(line);
    appendFileSync(file, `${line}\n`);
  };
}

function callers(): readonly string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = MAX_FRAMES;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  return stack.split('\n').flatMap((line) => {
    const [, name] = /at (?:async )?([A-Za-z]\w*(?:\.#?\w+)?) \(/.exec(line) ?? [];
    return name !== undefined && line.includes('/functions/') && !SHARED.test(line) ? [name] : [];
  });
}

/** `table:accounts` of the local name of a table or bucket; undefined for anything else. */
export function resourceOf({ kind, name }: NeededRight['resource']): string | undefined {
  if (kind !== 'table' && kind !== 'bucket') return undefined;
  const found = Object.entries<{ readonly environment: string }>(RESOURCES[kind]).find(
    ([, { environment }]) => process.env[environment] === name,
  );
  return found && `${kind}:${found[0]}`;
}
