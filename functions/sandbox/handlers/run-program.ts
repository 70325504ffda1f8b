import { invokedHandler } from '../../shared/invoked-function.ts';
import { executeBatch } from '../domain/execute.ts';
import { executeOnce } from '../domain/execute-once.ts';
import { DEFAULT_RESOURCES } from '../domain/run.ts';
import { toProblem } from '../http-errors.ts';
import type { ProgramResult, ProgramToRun } from '../run-program.ts';
import { executePorts } from '../wiring.ts';

const ports = executePorts();

export const handler = invokedHandler<ProgramToRun, ProgramResult>(
  toProblem,
  async (
    { workspaceId, keyId, stdin = '', environment = {}, onceKey, ...program },
    { deadlineMs, signal, background },
  ) => {
    const request = { ...program, stdin, environment, sessionId: null, resources: DEFAULT_RESOURCES };
    const caller = { workspaceId, keyId, background, untilMs: deadlineMs, signal };
    if (onceKey !== undefined) {
      const { stdout, stderr, exitCode, seconds } = await executeOnce(request, onceKey, caller, ports);
      return { stdout, stderr, exitCode, seconds };
    }
    // As one of a batch: a syntax error and a time-out are results, which whoever wrote the program can act on.
    const [result] = await executeBatch([request], caller, ports);
    const { stdout, stderr, exitCode, seconds } = result!;
    return { stdout, stderr, exitCode, seconds };
  },
);
