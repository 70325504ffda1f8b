import { listField, textField } from '../../graph/fields.ts';
import { isObject } from '../../graph/graph.ts';
import { type DifyEdge, type DifyGraph, type DifyNode, isBeginning } from './dify-file.ts';

/** Types that start a run there: the first one becomes the start. */
const STARTS = ['start', 'datasource', 'trigger-webhook', 'trigger-schedule', 'trigger-plugin'];

export function isStart({ type }: Pick<DifyNode, 'type'>): boolean {
  return STARTS.includes(type);
}

/** The node that becomes the start. */
export function firstStart(nodes: readonly DifyNode[]): DifyNode | undefined {
  return nodes.find(({ type }) => type === 'start') ?? nodes.find(isStart);
}

export interface PrunedGraph {
  readonly nodes: readonly DifyNode[];
  readonly edges: readonly DifyEdge[];
}

/**
 * The parts of a graph that can run: nodes that a start leads to, and edges between them that leave at an existing handle. The rest
 * is unused on its author's canvas.
 */
export function prunedGraph({ nodes, edges }: DifyGraph): PrunedGraph {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const sound = edges.filter((edge) => {
    const [from, to] = [byId.get(edge.source), byId.get(edge.target)];
    const key = JSON.stringify([edge.source, edge.handle, edge.target]);
    if (!from || !to || from.parent !== to.parent || isStart(to) || !hasHandle(from, edge.handle) || seen.has(key))
      return false;
    seen.add(key);
    return true;
  });
  const start = firstStart(nodes);
  const reached = new Set<string>();
  const visit = (from: readonly DifyNode[]) => {
    const queue = [...from];
    for (let node = queue.pop(); node; node = queue.pop()) {
      if (reached.has(node.id)) continue;
      reached.add(node.id);
      const { id } = node;
      for (const { source, target } of sound) if (source === id) queue.push(byId.get(target)!);
      if (node.type === 'iteration' || node.type === 'loop') visit(beginningsOf(node, nodes, sound));
    }
  };
  if (start) visit([start]);
  const kept = nodes.filter((node) => reached.has(node.id) && !isBeginning(node) && (!isStart(node) || node === start));
  const ids = new Set(kept.map(({ id }) => id));
  return { nodes: kept, edges: sound.filter(({ source, target }) => ids.has(source) && ids.has(target)) };
}

function beginningsOf(owner: DifyNode, nodes: readonly DifyNode[], edges: readonly DifyEdge[]): readonly DifyNode[] {
  const body = nodes.filter(({ parent }) => parent === owner.id);
  const marked = body.filter(isBeginning);
  if (marked.length > 0) return marked;
  const first = textField(owner.data, 'start_node_id');
  const named = body.filter(({ id, data }) => id === first || data.isIterationStart === true);
  if (named.length > 0) return named;
  return body.filter(({ id }) => !edges.some(({ target }) => target === id));
}

/** Whether a node can continue at a handle: the case or class of some edges has been removed since. */
function hasHandle({ type, data }: DifyNode, handle: string): boolean {
  const ids = (name: string, member: string) =>
    listField(data, name)
      .filter(isObject)
      .map((each) => textField(each, member));
  if (type === 'if-else') {
    const cases = ids('cases', 'case_id');
    return handle === 'false' || (cases.length > 0 ? cases.includes(handle) : handle === 'true');
  }
  if (type === 'question-classifier') return handle === 'fail-branch' || ids('classes', 'id').includes(handle);
  if (handle === 'fail-branch') return data.error_strategy === 'fail-branch';
  return true;
}
