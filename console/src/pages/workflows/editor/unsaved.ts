import { useEffect, useRef } from 'react';
import type { Graph } from '../graph.ts';

/** Changes of a workflow that were not saved, as the browser keeps them. */
export interface Unsaved {
  readonly graph: Graph;
  /** The stored version that they were made on. */
  readonly etag: string;
  readonly at: string;
}

const PREFIX = 'tripod-unsaved ';
const KEEP_AFTER_MS = 400;

const keyOf = (owner: string, workflowId: string) => `${PREFIX}${owner} ${workflowId}`;

export function unsavedOf(owner: string, workflowId: string): Unsaved | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(owner, workflowId)) ?? 'null') as Unsaved | null;
  } catch {
    return null;
  }
}

export function forgetUnsaved(owner: string, workflowId: string): void {
  localStorage.removeItem(keyOf(owner, workflowId));
}

/** Forgets all of them: the next person at this browser is another one. */
export function forgetAllUnsaved(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}

/** Keeps unsaved changes soon after each; a full store keeps none. @param unsaved null: all is saved */
export function useKeptUnsaved(owner: string, workflowId: string, unsaved: Omit<Unsaved, 'at'> | null): void {
  const { graph, etag } = unsaved ?? {};
  const hadChanges = useRef(false);
  useEffect(() => {
    if (!graph || etag === undefined) {
      if (hadChanges.current) forgetUnsaved(owner, workflowId);
      hadChanges.current = false;
      return;
    }
    hadChanges.current = true;
    const timer = setTimeout(() => {
      try {
        const at = new Date().toISOString();
        const unsaved: Unsaved = { graph: withoutSecrets(graph), etag, at };
        localStorage.setItem(keyOf(owner, workflowId), JSON.stringify(unsaved));
      } catch {
        // The guard on leaving still asks.
      }
    }, KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [graph, etag, owner, workflowId]);
}

/** Typed secrets are kept by the service alone. */
function withoutSecrets(graph: Graph): Graph {
  if (!graph.environment_variables) return graph;
  return {
    ...graph,
    environment_variables: graph.environment_variables.map(({ value, ...variable }) =>
      variable.type === 'secret' ? variable : { ...variable, value },
    ),
  };
}
