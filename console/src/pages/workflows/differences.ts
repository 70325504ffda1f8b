/** The compared parts of a graph. */
interface Graph {
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly data?: object | undefined }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly sourceHandle?: string | null | undefined;
  }[];
}

export interface Difference {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly what: 'node' | 'edge';
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The changes of a graph. The positions of its nodes do not matter. */
export function differences(before: Graph, after: Graph): readonly Difference[] {
  return [...compared('node', nodesOf(before), nodesOf(after)), ...compared('edge', edgesOf(before), edgesOf(after))];
}

function* compared(
  what: Difference['what'],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Generator<Difference> {
  for (const [name, text] of before) {
    const now = after.get(name);
    if (now === undefined) yield { kind: 'removed', what, name, before: text, after: '' };
    else if (now !== text) yield { kind: 'changed', what, name, before: text, after: now };
  }
  for (const [name, text] of after) if (!before.has(name)) yield { kind: 'added', what, name, before: '', after: text };
}

function nodesOf({ nodes }: Graph): ReadonlyMap<string, string> {
  return new Map(nodes.map(({ id, type, data }) => [id, JSON.stringify(sorted({ type, ...data }), null, 1)]));
}

function edgesOf({ edges }: Graph): ReadonlyMap<string, string> {
  return new Map(
    edges.map(({ source, target, sourceHandle }) => [`${source} → ${target} (${sourceHandle ?? 'out'})`, '']),
  );
}

/** Members in the order of their names: stores and editors order them differently. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  );
}
