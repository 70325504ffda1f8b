import { type CompiledGraph, openHandles, type Scope } from './compiled-graph.ts';
import { ERROR_HANDLE, type GraphEdge, type GraphNode } from './graph.ts';
import { handlesWith } from './node-types.ts';

/** Where a value is used: at a node, or at the end of each pass of a body. */
export type Use = { readonly node: GraphNode } | { readonly endOf: Scope };

/**
 * Decides whether some of several nodes have run, and produced their outputs, on every way to a use. All incoming edges of a node are
 * settled before it runs, so that nodes that run in parallel and join before it count too.
 */
export class ProducedBefore {
  readonly #compiled: CompiledGraph;
  readonly #forced = new Map<string, ReadonlySet<string>>();
  readonly #forcedByHandle = new Map<string, ReadonlySet<string>>();
  readonly #ways = new Map<string, Ways>();
  readonly #ancestors = new Map<string, ReadonlySet<string>>();

  constructor(compiled: CompiledGraph) {
    this.#compiled = compiled;
  }

  /** Whether a node comes before another one of its scope, on any way. */
  precedes(producer: GraphNode, use: Use): boolean {
    return 'endOf' in use || this.#ancestorsOf(use.node.id).has(producer.id);
  }

  /** @param producers of the scope of the use. @param failed true when their failures are used, not their outputs. */
  isProduced(producers: readonly GraphNode[], use: Use, failed: boolean): boolean {
    const { after, before } = this.#waysWith([...new Set(producers)], failed);
    if ('node' in use) return before(use.node);
    const { entries, nodes } = use.endOf;
    if (entries.some((entry) => surelyRuns(producers, failed, this.#forcedFrom(entry)))) return true;
    return nodes.every((node) => openHandles(node, this.#compiled.outgoing).every((handle) => after(node, handle)));
  }

  /** Kept for single nodes: there are as many of them as nodes, and of all else as many as references. */
  #waysWith(producers: readonly GraphNode[], failed: boolean): Ways {
    if (producers.length > 1) return this.#newWays(producers, failed);
    const key = `${producers[0]!.id} ${failed}`;
    const ways = this.#ways.get(key) ?? this.#newWays(producers, failed);
    this.#ways.set(key, ways);
    return ways;
  }

  #newWays(producers: readonly GraphNode[], failed: boolean): Ways {
    const wanted = new Set(producers.map(({ id }) => id));
    const givesOut = (node: GraphNode, handle: string): boolean =>
      wanted.has(node.id) && (failed ? handle === ERROR_HANDLE : node.onError !== 'branch' || handle !== ERROR_HANDLE);
    const known = new Map<string, boolean>();
    const after = (source: GraphNode, handle: string): boolean => {
      const key = `${source.id} ${handle}`;
      const decided = known.get(key);
      if (decided !== undefined) return decided;
      // Guards against cycles, which validation reports by themselves.
      known.set(key, false);
      const result =
        givesOut(source, handle) || surelyRuns(producers, failed, this.#forcedBy(source, handle)) || before(source);
      known.set(key, result);
      return result;
    };
    const before = ({ id }: GraphNode): boolean => {
      const edges = this.#compiled.incoming.get(id)!;
      return edges.length > 0 && edges.every((edge) => after(this.#sourceOf(edge), edge.sourceHandle));
    };
    return { after, before };
  }

  #sourceOf({ source }: GraphEdge): GraphNode {
    return this.#compiled.nodes.get(source)!;
  }

  #ancestorsOf(id: string): ReadonlySet<string> {
    const known = this.#ancestors.get(id);
    if (known) return known;
    const found = new Set<string>();
    const queue = [id];
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      for (const { source } of this.#compiled.incoming.get(next) ?? [])
        if (!found.has(source)) {
          found.add(source);
          queue.push(source);
        }
    this.#ancestors.set(id, found);
    return found;
  }

  /** Nodes that run for certain once a node runs, itself among them. */
  #forcedFrom(node: GraphNode): ReadonlySet<string> {
    const known = this.#forced.get(node.id);
    if (known) return known;
    this.#forced.set(node.id, new Set([node.id]));
    const [first, ...others] = handlesWith(node, this.#compiled.outgoing.get(node.id)!).map((handle) =>
      this.#forcedBy(node, handle),
    );
    const common = [...(first ?? [])].filter((id) => others.every((set) => set.has(id)));
    const forced = new Set([node.id, ...common]);
    this.#forced.set(node.id, forced);
    return forced;
  }

  /** Nodes that run for certain once a node has taken a handle. */
  #forcedBy(node: GraphNode, handle: string): ReadonlySet<string> {
    const key = `${node.id} ${handle}`;
    const known = this.#forcedByHandle.get(key);
    if (known) return known;
    const edges = this.#compiled.outgoing.get(node.id)!.filter(({ sourceHandle }) => sourceHandle === handle);
    const forced = new Set(edges.flatMap(({ target }) => [...this.#forcedFrom(this.#compiled.nodes.get(target)!)]));
    this.#forcedByHandle.set(key, forced);
    return forced;
  }
}

/** Whether some of several nodes have run on every way to a place. */
interface Ways {
  /** To the end of a node that takes a handle. */
  readonly after: (source: GraphNode, handle: string) => boolean;
  /** To the start of a node. */
  readonly before: (node: GraphNode) => boolean;
}

function surelyRuns(producers: readonly GraphNode[], failed: boolean, ids: ReadonlySet<string>): boolean {
  return !failed && producers.some(({ id, onError }) => onError !== 'branch' && ids.has(id));
}

/** The node at the scope of `producer` that a use at `user` belongs to: itself, or the one whose body holds it. */
export function ownerInScope(
  { nodes }: Pick<CompiledGraph, 'nodes'>,
  user: GraphNode,
  producer: GraphNode,
): GraphNode | null {
  for (let node: GraphNode | undefined = user; node; node = nodes.get(node.parentId ?? ''))
    if (node.parentId === producer.parentId) return node;
  return null;
}

/** True when `node` is in the body of `owner`, however deep. */
export function isInside({ nodes }: Pick<CompiledGraph, 'nodes'>, node: GraphNode, owner: GraphNode): boolean {
  for (let each: GraphNode | undefined = node; each; each = nodes.get(each.parentId ?? ''))
    if (each.parentId === owner.id) return true;
  return false;
}
