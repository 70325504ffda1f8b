import { expect } from 'vitest';
import type { Run } from '../../../functions/sandbox/domain/run.ts';

/** A program and how it ends. */
export interface EdgeSnippet extends Partial<Run> {
  readonly language: Run['language'];
  readonly code: string;
  /** Part of the outcome. */
  readonly gives: object;
  /** True when two runs of it may end in different ways. */
  readonly varies?: boolean;
}

export const finished = (rest: object) => ({ kind: 'finished', ...rest });
export const printed = (stdout: string) => finished({ stdout, stderr: '', exitCode: 0 });
export const has = (text: string) => expect.stringContaining(text);
