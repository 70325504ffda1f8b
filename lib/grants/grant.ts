import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Facility, TableAction } from '../../functions/shared/access.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { type TableId, tables } from '../../functions/shared/resources.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import type { Config } from '../config.ts';

import type { FunctionNetwork } from '../constructs/service-function.ts';
import type { DataStack } from '../stacks/data-stack.ts';

/** Roles in the pool itself: readers of the list of languages need its table alone. */
export type PoolRole = Exclude<Extract<Facility, `runners:${string}`>, 'runners:languages'>;

/** Gives functions their part in the pool. */
export interface RunnerGrants {
  grant(role: PoolRole): Grant;
}

/** The members of a route or a worker that rights depend on. */
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
  /** The part of the finding after `Resource::`. */
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

/** The grants of a facility in a deployment; none if the deployment does not have it. */
export type GrantMaker = (sources: Sources) => readonly Grant[];

export function allow(actions: readonly string[], resources: readonly string[], conditions?: object): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [...resources],
    ...(conditions && { conditions: conditions as Record<string, unknown> }),
  });
}

/** Calls to a table, and its name. @param conditions such as those of `ofPartitions` */
export function allowTable(
  id: TableId,
  actions: readonly (TableAction | 'Scan')[],
  { data }: Pick<Sources, 'data'>,
  conditions?: object,
): Grant {
  const { tableArn, tableName } = data.tables[id];
  return {
    statements: [
      allow(
        actions.map((action) => `dynamodb:${action}`),
        [tableArn],
        conditions,
      ),
    ],
    environment: { [tables[id].environment]: tableName },
  };
}

/** Condition that all keys of a call are in these partitions; `*` stands for any text. */
export function ofPartitions(...partitions: readonly string[]): object {
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } };
}

/** The entries of a record with their keys' type. */
export function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): readonly [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}
