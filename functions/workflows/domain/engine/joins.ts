import type { Branch, CompiledGraph } from '../graph/compiled-graph.ts';
import type { GraphEdge, GraphNode } from '../graph/graph.ts';
import type { Emit } from './event-payloads.ts';
import type { Frame } from './frame.ts';

export interface JoinHost {
  readonly emit: Emit;
  /** Every edge to the node is settled, and one is taken. */
  readonly start: (frame: Frame, node: GraphNode) => void;
  /** Every node of the frame has ended, or is skipped. */
  readonly frameEnded: (frame: Frame) => void;
}

/**
 * Propagates the end of a node: an edge is taken or skipped; a node starts when every edge to it is settled and at least one is taken,
 * and is skipped, with the nodes that only it leads to, when none is.
 */
export class Joins {
  readonly #compiled: CompiledGraph;
  readonly #host: JoinHost;
  readonly #ended: { readonly frame: Frame; readonly node: GraphNode; readonly handle: string | null }[] = [];

  constructor(compiled: CompiledGraph, host: JoinHost) {
    this.#compiled = compiled;
    this.#host = host;
  }

  /** @param handle where the node continues; null: it is skipped. */
  add(frame: Frame, node: GraphNode, handle: string | null): void {
    this.#ended.push({ frame, node, handle });
  }

  /** Settles the edges of one node that has ended. @returns false when there is none. */
  settleNext(): boolean {
    const next = this.#ended.shift();
    if (next && !next.frame.isClosed) this.#settle(next.frame, next.node, next.handle);
    return next !== undefined;
  }

  /** Ends the branches of a frame that is given up, inner ones first. */
  close(frame: Frame, status: 'failed' | 'cancelled'): void {
    for (const id of [...frame.branches.keys()].reverse()) this.#endBranch(frame, id, status);
  }

  #settle(frame: Frame, node: GraphNode, handle: string | null): void {
    for (const branch of this.#compiled.branchesOf.get(node.id) ?? []) this.#settleBranch(frame, branch);
    for (const edge of this.#compiled.outgoing.get(node.id)!) {
      const isTaken = handle !== null && edge.sourceHandle === handle;
      if (isTaken) this.#beginBranch(frame, edge);
      this.#settleEdge(frame, edge, isTaken);
    }
    frame.left -= 1;
    if (frame.left === 0) this.#host.frameEnded(frame);
  }

  #settleEdge(frame: Frame, { source, target }: GraphEdge, isTaken: boolean): void {
    if (isTaken && !frame.predecessors.has(target)) frame.predecessors.set(target, source);
    const left = frame.unsettled.get(target)! - 1;
    frame.unsettled.set(target, left);
    if (left > 0) return;
    const node = this.#compiled.nodes.get(target)!;
    if (frame.predecessors.has(target)) this.#host.start(frame, node);
    else this.add(frame, node, null);
  }

  #beginBranch(frame: Frame, { id, source, target }: GraphEdge): void {
    const branch = this.#compiled.branches.get(id);
    if (!branch) return;
    frame.branches.set(id, branch.members.length);
    this.#host.emit('parallel_branch_started', { branch_id: frame.key + id, node_id: source, first_node_id: target });
  }

  #settleBranch(frame: Frame, { id }: Branch): void {
    const left = frame.branches.get(id);
    if (left === undefined) return;
    frame.branches.set(id, left - 1);
    if (left === 1) this.#endBranch(frame, id, 'succeeded');
  }

  #endBranch(frame: Frame, id: string, status: 'succeeded' | 'failed' | 'cancelled'): void {
    const { edge } = this.#compiled.branches.get(id)!;
    frame.branches.delete(id);
    this.#host.emit('parallel_branch_finished', { branch_id: frame.key + id, node_id: edge.source, status });
  }
}
