import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { execute } from './execute.ts';
import type { Result } from './files.tsx';

/** Output of a program so far. */
export interface Written {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one program at a time, and shows its output as it comes. */
export function useExecution(onDone: () => void) {
  const queries = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const [written, setWritten] = useState<Written | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [error, setError] = useState<unknown>(null);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const show = (shown: Result) => {
    setError(null);
    setWritten(null);
    setResult(shown);
  };
  async function start(body: object): Promise<void> {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    const output = { stdout: '', stderr: '' };
    setResult(null);
    setError(null);
    setWritten(output);
    setRunning(true);
    try {
      for await (const event of execute(body, signal)) {
        if (event.kind === 'result') show(event.result);
        else {
          output[event.kind] += event.text;
          setWritten({ stdout: output.stdout, stderr: output.stderr });
        }
      }
      onDone();
      await queries.invalidateQueries({ queryKey: ['executions'] });
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      if (controller.current?.signal === signal) setRunning(false);
    }
  }
  return { isRunning, written, result, error, start, show, stop: () => controller.current?.abort() };
}
