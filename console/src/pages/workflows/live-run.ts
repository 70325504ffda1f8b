import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiFetch } from '../../api/client.ts';
import { serverEvents } from '../../api/server-events.ts';
import { addTo, type LiveNodes, type RunNode } from './live-nodes.ts';

export interface LiveRun {
  readonly runId: string | null;
  readonly nodes: LiveNodes;
  readonly isStarting: boolean;
  readonly isStreaming: boolean;
  readonly error: unknown;
  /** @param onBegun called with the id of the run, as soon as it has one. */
  start(given: Given, onBegun?: (runId: string) => void): Promise<void>;
  /** Shows a former run. */
  open(runId: string): void;
}

/** Inputs and message of a run. */
export interface Given {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** {{sys.query}} */
  readonly query: string;
}

const NONE: LiveNodes = new Map();

/**
 * Runs the draft and follows it by its events, so that nodes light up as they start. Its key lets the run continue without the page:
 * after a lost connection, and while it waits for a person, its record shows the rest.
 * @param shown a former run to start with. @param onShow keeps the shown run in the page’s address
 */
export function useLiveRun(workflowId: string, shown: string | null, onShow: (runId: string) => void): LiveRun {
  const queries = useQueryClient();
  const [runId, setRunId] = useState(shown);
  const [nodes, setNodes] = useState<LiveNodes>(NONE);
  const [phase, setPhase] = useState<'idle' | 'starting' | 'streaming'>('idle');
  const [error, setError] = useState<unknown>(null);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const stop = () => {
    controller.current?.abort();
    setNodes(NONE);
    setError(null);
    setPhase('idle');
  };

  async function start({ inputs, query }: Given, onBegun?: (runId: string) => void): Promise<void> {
    stop();
    controller.current = new AbortController();
    const { signal } = controller.current;
    setPhase('starting');
    const seen = new Map<string, RunNode>();
    let id: string | null = null;
    let isDrawing = false;
    // Events may come faster than they can be drawn.
    const draw = () => {
      isDrawing = false;
      if (!signal.aborted) setNodes(new Map(seen));
    };
    try {
      const response = await apiFetch(
        new Request(`/api/v1/workflows/${workflowId}/run`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
          body: JSON.stringify({ version: 'draft', stream: true, inputs, query }),
          signal,
        }),
      );
      for await (const event of serverEvents(response, signal)) {
        if (id === null && typeof event.data.id === 'string') {
          id = event.data.id;
          setRunId(id);
          onShow(id);
          onBegun?.(id);
          setPhase('streaming');
          void queries.invalidateQueries({ queryKey: ['runs'] });
        }
        if (!addTo(seen, event) || isDrawing) continue;
        isDrawing = true;
        requestAnimationFrame(draw);
      }
    } catch (failure) {
      // Once it has started, the run's record says how it ended.
      if (id === null && !signal.aborted) setError(failure);
    } finally {
      if (!signal.aborted) {
        setPhase('idle');
        void queries.invalidateQueries({ queryKey: ['run', id] });
        void queries.invalidateQueries({ queryKey: ['runs'] });
      }
    }
  }

  return {
    runId,
    nodes,
    isStarting: phase === 'starting',
    isStreaming: phase === 'streaming',
    error,
    start,
    open(id) {
      stop();
      setRunId(id);
      onShow(id);
    },
  };
}
