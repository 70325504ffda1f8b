/** An execution of a node, from a run's record and its events. */
export interface RunNode {
  readonly execution_key: string;
  readonly node_id: string;
  readonly node_type: string;
  readonly title: string;
  readonly status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly inputs: Readonly<Record<string, unknown>> | null;
  readonly outputs: Readonly<Record<string, unknown>> | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly elapsed_ms: number | null;
}

/** By their keys. */
export type LiveNodes = ReadonlyMap<string, RunNode>;

/**
 * Adds an event of a run.
 * @returns false for events that are not about a node's start or end
 */
export function addTo(
  seen: Map<string, RunNode>,
  { type, data }: { readonly type: string | null; readonly data: Readonly<Record<string, unknown>> },
): boolean {
  if (type !== 'node_started' && type !== 'node_finished') return false;
  const told = data.event as Partial<RunNode> & Pick<RunNode, 'execution_key' | 'status'>;
  const { execution_key, status, inputs, outputs = null, failure = null, elapsed_ms = null } = told;
  const before = seen.get(execution_key);
  const { node_id = '', node_type = '', title = '' } = before ?? told;
  seen.set(execution_key, {
    ...{ execution_key, node_id, node_type, title, status },
    inputs: before?.inputs ?? inputs ?? null,
    ...{ outputs, failure, elapsed_ms },
  });
  return true;
}
