import type { RunTraces } from './run.ts';

export interface Output extends RunTraces {
  readonly stdout: string;
  readonly stderr: string;
}
