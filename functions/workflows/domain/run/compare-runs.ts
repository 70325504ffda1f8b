import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../graph/graph.ts';
import type { RecordedRun, RunHead } from './run.ts';
import { RunRefused } from './run-refused.ts';
import { type NodeView, runView } from './run-view.ts';

/** A value that differs between two runs. */
export interface Change {
  /** Path of the member, such as `body.items.0`; empty: the value as a whole. */
  readonly member: string;
  /** Absent where the run has no such member. */
  readonly first?: Json;
  readonly second?: Json;
}

export interface ChangedValues {
  readonly isSame: boolean;
  readonly changes: readonly Change[];
  /** Changes beyond those. */
  readonly omitted: number;
}

/** One execution of a node. Null: the run has none. */
export interface ComparedNode {
  readonly first: NodeView | null;
  readonly second: NodeView | null;
  readonly inputs: ChangedValues;
  readonly outputs: ChangedValues;
}

export interface ComparedRuns {
  /** In the order in which the first run started them; those that only the second has come last. */
  readonly nodes: readonly ComparedNode[];
  /** Nodes of either run beyond the compared ones. */
  readonly omitted: number;
}

const MAX_CHANGES = 20;
/** Changes are counted up to here: two lists of a million numbers need no exact count. */
const MAX_COUNTED = 1_000;
/** Deeper values are compared as a whole. */
const MAX_DEPTH = 20;

/** @throws RunRefused 'different_workflows' */
export function requireOneWorkflow(first: RunHead, second: RunHead): void {
  if (first.workflowId === second.workflowId) return;
  throw new RunRefused(
    'different_workflows',
    `with: the run ${second.runId} belongs to the workflow ${second.workflowId}, but ${first.runId} to ${first.workflowId}. Name two runs of one workflow.`,
  );
}

/** Compares the executions of two runs by their keys: the same pass of an iteration is one pair. */
export function compareRuns(first: RecordedRun, second: RecordedRun): ComparedRuns {
  const [one, other] = [runView(first), runView(second)];
  const others = new Map(other.nodes.map((view) => [view.executionKey, view]));
  const keys = new Set(one.nodes.map(({ executionKey }) => executionKey));
  return {
    nodes: [
      ...one.nodes.map((view) => comparedNode(view, others.get(view.executionKey) ?? null)),
      ...other.nodes.filter(({ executionKey }) => !keys.has(executionKey)).map((view) => comparedNode(null, view)),
    ],
    omitted: one.omitted + other.omitted,
  };
}

function comparedNode(first: NodeView | null, second: NodeView | null): ComparedNode {
  const compared = (name: 'inputs' | 'outputs') => {
    // Values of a node that only one run has are not changes of it.
    if (first === null || second === null) return { isSame: false, changes: [], omitted: 0 };
    return changedValues(first[name], second[name]);
  };
  return { first, second, inputs: compared('inputs'), outputs: compared('outputs') };
}

/** The members that differ, each as deep as both sides have the same structure. */
export function changedValues(first: JsonObject | null, second: JsonObject | null): ChangedValues {
  const changes: Change[] = [];
  let omitted = 0;
  const compare = (one: Json | undefined, other: Json | undefined, path: readonly string[]): void => {
    if (changes.length + omitted >= MAX_COUNTED || isDeepStrictEqual(one, other)) return;
    const names = path.length < MAX_DEPTH ? commonNames(one, other) : null;
    if (names === null) {
      if (changes.length === MAX_CHANGES) omitted += 1;
      else changes.push(changeAt(path, one, other));
      return;
    }
    for (const name of names) compare(memberOf(one, name), memberOf(other, name), [...path, name]);
  };
  compare(first ?? undefined, second ?? undefined, []);
  return { isSame: changes.length === 0, changes, omitted };
}

function changeAt(path: readonly string[], first: Json | undefined, second: Json | undefined): Change {
  return {
    member: path.join('.'),
    ...(first !== undefined && { first }),
    ...(second !== undefined && { second }),
  };
}

/** Names of all members of two objects, or of two lists; null for other values. */
function commonNames(one: Json | undefined, other: Json | undefined): Iterable<string> | null {
  if (Array.isArray(one) && Array.isArray(other))
    return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => String(index));
  return isObject(one) && isObject(other) ? new Set([...Object.keys(one), ...Object.keys(other)]) : null;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return Object.hasOwn(value as object, name) ? (value as JsonObject)[name] : undefined;
}
