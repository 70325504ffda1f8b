import * as z from 'zod';
import type { Json, JsonObject } from './domain/graph/graph.ts';
import { sizeOf } from './domain/graph/references.ts';
import type { Change, ChangedValues, ComparedNode, ComparedRuns } from './domain/run/compare-runs.ts';
import type { RunHead } from './domain/run/run.ts';
import type { NodeView } from './domain/run/run-view.ts';
import { toRunSummary } from './responses.ts';
import { nodeRun, runParams, runSummary } from './schemas.ts';
import { ShownValues } from './shown-values.ts';

/** A comparison of runs, as clients ask for it and see it. */

export const comparisonQuery = z.object({
  with: runParams.shape.id.describe('The other run, of the same workflow'),
});

const side = z.unknown().optional();
const changedValues = z.object({
  same: z.boolean(),
  changes: z.array(
    z.object({
      member: z.string().describe('Such as `body.items.0`; empty: the value as a whole'),
      kind: z.enum(['added', 'removed', 'changed']).describe('added: only the other run has it'),
      run: side.describe('Absent where the run has no such member'),
      other: side,
      values_omitted: z.boolean().describe('They are too long for a comparison; each run shows its own'),
    }),
  ),
  changes_omitted: z.int().describe('Changes beyond those; at most about 1000 are counted'),
});
const comparedExecution = nodeRun
  .pick({ status: true, failure: true, elapsed_ms: true, attempts: true, usage: true })
  .nullable()
  .describe('Null: the run has not started this node');
const comparedRun = runSummary.pick({
  id: true,
  workflow_version: true,
  status: true,
  created_at: true,
  failure: true,
  usage: true,
});

export const comparedRuns = z
  .object({
    run: comparedRun.extend({ elapsed_ms: z.int().nullable().describe('Null: it has not ended') }),
    other: comparedRun.extend({ elapsed_ms: z.int().nullable() }),
    difference: z
      .object({
        elapsed_ms: z.int().nullable().describe('Null: one of them has not ended'),
        total_tokens: z.int(),
        krw: z.int(),
        sandbox_seconds: z.number(),
      })
      .describe('The other run less this one'),
    nodes: z
      .array(
        z.object({
          execution_key: z.string().describe('The node’s id, behind the passes that it is in'),
          node_id: z.string(),
          node_type: z.string(),
          title: z.string(),
          in: z.enum(['both', 'run', 'other']).describe('The runs that have started the node'),
          run: comparedExecution,
          other: comparedExecution,
          inputs: changedValues,
          outputs: changedValues,
        }),
      )
      .describe('In the order of this run; nodes that only the other one has come last'),
    nodes_omitted: z.int().describe('Of each run the first 1000 nodes are compared'),
  })
  .meta({ id: 'WorkflowRunComparison' });

/** Characters of one value, and of all. */
const MAX_VALUE_LENGTH = 2_000;
const MAX_LENGTH = 1_000_000;

export function toComparisonResponse(
  first: RunHead,
  second: RunHead,
  { nodes, omitted }: ComparedRuns,
): z.output<typeof comparedRuns> {
  const shown = new ShownValues(MAX_LENGTH);
  const [run, other] = [toComparedRun(first), toComparedRun(second)];
  return {
    ...{ run, other },
    difference: {
      elapsed_ms: run.elapsed_ms === null || other.elapsed_ms === null ? null : other.elapsed_ms - run.elapsed_ms,
      total_tokens: other.usage.total_tokens - run.usage.total_tokens,
      krw: other.usage.krw - run.usage.krw,
      sandbox_seconds: other.usage.sandbox_seconds - run.usage.sandbox_seconds,
    },
    nodes: nodes.map((node) => toComparedNode(node, shown)),
    nodes_omitted: omitted,
  };
}

function toComparedRun(head: RunHead): z.output<typeof comparedRuns>['run'] {
  const { id, workflow_version, status, created_at, failure, usage } = toRunSummary(head);
  const elapsed = head.finishedAtMs === null ? null : head.finishedAtMs - head.createdAtMs;
  return { id, workflow_version, status, created_at, failure, usage, elapsed_ms: elapsed };
}

function toComparedNode(
  { first, second, inputs, outputs }: ComparedNode,
  shown: ShownValues,
): z.output<typeof comparedRuns>['nodes'][number] {
  const { executionKey, nodeId, nodeType, title } = (first ?? second)!;
  return {
    ...{ execution_key: executionKey, node_id: nodeId, node_type: nodeType, title },
    in: first === null ? 'other' : second === null ? 'run' : 'both',
    run: first && toExecution(first),
    other: second && toExecution(second),
    inputs: toChangedValues(inputs, shown),
    outputs: toChangedValues(outputs, shown),
  };
}

function toExecution({ status, failure, elapsedMs, attempts, usage }: NodeView) {
  return {
    status: status as 'running',
    failure: failure && { ...failure },
    elapsed_ms: elapsedMs,
    attempts,
    usage: usage as z.output<typeof nodeRun>['usage'],
  };
}

function toChangedValues({ isSame, changes, omitted }: ChangedValues, shown: ShownValues) {
  const fitting = changes.map((change) => toChange(change, shown)).filter((change) => change !== null);
  return { same: isSame, changes: fitting, changes_omitted: omitted + changes.length - fitting.length };
}

/** @returns null where not even the member's name fits. */
function toChange({ member, ...values }: Change, shown: ShownValues) {
  if (shown.take({ member }) === null) return null;
  const isShort = Object.values(values).every((value: Json) => sizeOf(value, MAX_VALUE_LENGTH) <= MAX_VALUE_LENGTH);
  const { first, second } = (isShort && shown.take(values as JsonObject)) || {};
  return {
    member,
    kind: !('first' in values) ? ('added' as const) : 'second' in values ? ('changed' as const) : ('removed' as const),
    ...(first !== undefined && { run: first }),
    ...(second !== undefined && { other: second }),
    values_omitted: first === undefined && second === undefined,
  };
}
