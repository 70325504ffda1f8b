import type { CompiledGraph, Scope } from '../graph/compiled-graph.ts';
import type { GraphNode, Json, JsonObject } from '../graph/graph.ts';
import { memberAt, type Source } from '../graph/references.ts';
import type { Cost, Failure } from './engine-events.ts';

/** A node that has started and not ended. */
export interface Activity {
  /** Unique in the run: the node's id, behind the passes that it is in, as in `pages[3]/read`. */
  readonly key: string;
  readonly frame: Frame;
  readonly node: GraphNode;
  readonly index: number;
  readonly predecessorId: string | null;
  readonly startedMs: number;
  attempt: number;
  state: 'running' | 'delayed' | 'waiting' | 'body';
  /** Of a delay, or of a wait. */
  untilMs: number;
  config: JsonObject;
  inputs: JsonObject;
  /** Of all its attempts. */
  cost: Cost;
  readonly body: Body | null;
  /** The people whom a waiting node names have been notified. */
  isNotified?: true;
}

export type Body = IterationBody | LoopBody;

export interface IterationBody {
  readonly kind: 'iteration';
  isCompleted: boolean;
  items: readonly Json[];
  next: number;
  ended: number;
  readonly frames: Map<number, Frame>;
  results: Json[];
  readonly failed: Set<number>;
  readonly errors: JsonObject[];
}

export interface LoopBody {
  readonly kind: 'loop';
  isCompleted: boolean;
  pass: number;
  /** A break has been reached: the current pass is the last one. */
  isBroken: boolean;
  variables: Record<string, Json>;
  readonly frames: Map<number, Frame>;
}

/** One execution of a scope: the run itself, or one pass of a body. */
export class Frame {
  readonly scope: Scope;
  /** Prefix of its nodes' keys. */
  readonly key: string;
  readonly parent: Frame | null;
  /** The iteration or loop that it is a pass of. */
  readonly owner: Activity | null;
  readonly index: number;
  readonly outputs = new Map<string, JsonObject>();
  /** Characters of the outputs that count for the run. */
  readonly sizes = new Map<string, number>();
  /** Of nodes whose failure was planned for. */
  readonly failures = new Map<string, Failure>();
  /** Edges that are neither taken nor skipped yet, by their target. */
  readonly unsettled = new Map<string, number>();
  /** Where the first taken edge came from, by its target. */
  readonly predecessors = new Map<string, string>();
  /** Nodes left, by the branch that has started. */
  readonly branches = new Map<string, number>();
  /** Nodes that have neither ended nor been skipped. */
  left: number;
  isClosed = false;

  constructor(
    scope: Scope,
    { incoming }: Pick<CompiledGraph, 'incoming'>,
    place: { readonly parent: Frame; readonly owner: Activity; readonly index: number } | null,
  ) {
    this.scope = scope;
    this.parent = place?.parent ?? null;
    this.owner = place?.owner ?? null;
    this.index = place?.index ?? 0;
    this.key = place ? `${place.owner.key}[${place.index}]/` : '';
    this.left = scope.nodes.length;
    for (const { id } of scope.nodes) this.unsettled.set(id, incoming.get(id)!.length);
  }

  /** The value of a source as nodes of this frame see it; undefined when its node has given out nothing. */
  valueOf({ node, path }: Source): Json | undefined {
    for (let frame: Frame | null = this; frame; frame = frame.parent) {
      if (path[0] === 'error' && frame.failures.has(node)) {
        const { code, message } = frame.failures.get(node)!;
        return memberAt({ code, message }, path.slice(1));
      }
      const outputs = frame.outputs.get(node);
      if (outputs !== undefined) return memberAt(outputs, path);
      if (frame.owner?.node.id === node) return memberAt(bodyValues(frame), path);
    }
    return undefined;
  }

  /** True for this frame and those inside it. */
  isWithin(outer: Frame): boolean {
    for (let frame: Frame | null = this; frame; frame = frame.parent) if (frame === outer) return true;
    return false;
  }
}

function bodyValues({ owner, index }: Frame): JsonObject {
  const body = owner?.body;
  if (body?.kind === 'iteration') return { item: body.items[index] ?? null, index };
  return { index, ...(body?.kind === 'loop' && body.variables) };
}
