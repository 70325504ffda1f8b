import type { Phrase } from '../../../shared/phrases.ts';

/** A fault of a graph: its place, and how to fix it. */
export interface GraphIssue {
  /** Null: of the graph as a whole. */
  readonly nodeId: string | null;
  readonly field: string | null;
  /** Of the kind of fault. */
  readonly code: string;
  /** A whole sentence that names both. */
  readonly message: string;
  /** The same in Korean. */
  readonly korean: string;
  /** An error keeps the graph from being published and run; a warning does not. */
  readonly severity: 'error' | 'warning';
  /** Text of the reference that is wrong, as in {{node.output}}. */
  readonly reference?: string;
  /** The faulty source, as in node.output. */
  readonly source?: string;
}

/** @param what the rest of the sentence, after the node and its field. */
export function ofNode(nodeId: string, field: string, { code, en, ko }: Phrase): GraphIssue {
  const node = JSON.stringify(nodeId);
  return {
    nodeId,
    field,
    code,
    message: `Node ${node}: ${field} ${en}`,
    korean: `${node} 노드의 ${field}: ${ko}`,
    severity: 'error',
  };
}

export function ofGraph(field: string, { code, en, ko }: Phrase): GraphIssue {
  return { nodeId: null, field, code, message: en, korean: ko, severity: 'error' };
}

export function warning(issue: GraphIssue): GraphIssue {
  return { ...issue, severity: 'warning' };
}

export function errorsAmong(issues: readonly GraphIssue[]): readonly GraphIssue[] {
  return issues.filter(({ severity }) => severity === 'error');
}

/** Makes the texts of an issue call nodes by their titles, which is what their author sees. */
export function withTitles(
  nodes: readonly { readonly id: string; readonly title: string }[],
): (issue: GraphIssue) => GraphIssue {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  const seen = new Set<string>();
  const shared = new Set(nodes.map(({ title }) => title).filter((title) => seen.size === seen.add(title).size));
  const titled = (text: string) =>
    text.replace(/"([\w-]{1,64})"/g, (quoted, id: string) => {
      const title = titles.get(id);
      if (title === undefined || title === '' || title === id) return quoted;
      return shared.has(title) ? `${JSON.stringify(title)} (${id})` : JSON.stringify(title);
    });
  return (issue) => ({ ...issue, message: titled(issue.message), korean: titled(issue.korean) });
}
