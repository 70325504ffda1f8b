import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { RunnerAccess } from '../../functions/shared/access.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import type { TableId } from '../../functions/shared/resources.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import type { Config } from '../config.ts';

import type { FunctionNetwork } from '../constructs/service-function.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import { trimmed } from './used-rights.ts';

/** Roles in the pool itself: readers of the list of languages need its table alone. */
export type PoolAccess = Exclude<RunnerAccess, 'languages'>;

/** Gives functions their part in the pool. */
export interface RunnerGrants {
  grant(right: PoolAccess): Grant;
}

/** A route or a worker, as far as rights depend on it. */
export type Granted = Pick<Worker, 'id' | 'access'> & Partial<Pick<Route, 'auth' | 'isUnlimited'>>;

/** Everything that rights can be given to. */
export interface Sources {
  /** Stack of the function. */
  readonly stack: Stack;
  readonly data: DataStack;
  readonly config: Config;
  /** The OCR layer; null in stacks that have none. */
  readonly ocrLayer: ILayerVersion | null;
  /** The pool of runners; null where programs cannot be run. */
  readonly pool: RunnerGrants | null;
}

/** A finding of cdk-nag about a grant, with the reason why it is right. */
export interface Wildcard {
  /** The part of the finding behind `Resource::`. */
  readonly resource: string;
  readonly reason: string;
}

/** One kind of right, with the settings that a function needs to use it. */
export interface Grant {
  readonly statements?: readonly PolicyStatement[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly wildcards?: readonly Wildcard[];
  readonly layers?: readonly ILayerVersion[];
  /** Network that the function has to be in. */
  readonly network?: FunctionNetwork;
}

/** Turns one member of `access` into grants; none where the entry does not ask for it. */
export type GrantMaker = (entry: Granted, sources: Sources) => readonly Grant[];

export function allow(actions: readonly string[], resources: readonly string[], conditions?: object): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [...resources],
    ...(conditions && { conditions: conditions as Record<string, unknown> }),
  });
}

/** Rights as far as the function can use them; none where it uses none of them. @param resource as `trimmed` has it. */
export function allowUsed(
  { id }: Pick<Granted, 'id'>,
  resource: string,
  actions: readonly string[],
  arns: readonly string[],
  conditions?: object,
): readonly PolicyStatement[] {
  const used = trimmed(id, resource, actions);
  return used.length === 0 ? [] : [allow(used, arns, conditions)];
}

/** The same for a table. */
export function allowTable(
  entry: Pick<Granted, 'id'>,
  table: TableId,
  actions: readonly string[],
  { data }: Pick<Sources, 'data'>,
  conditions?: object,
): readonly PolicyStatement[] {
  return allowUsed(entry, `table:${table}`, actions, [data.tables[table].tableArn], conditions);
}

/** The entries of a record with their keys' type. */
export function entriesOf<Key extends string, Value>(record: Partial<Record<Key, Value>>): readonly [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}
