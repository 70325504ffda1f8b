import { invokedHandler } from '../../shared/invoked-function.ts';
import { executePorts } from '../../wiring/sandbox/sandbox.ts';
import { executeBatch } from '../domain/execute.ts';
import { executeOnce } from '../domain/execute-once.ts';
import type { ExecutionResult } from '../domain/execution.ts';
import { mediaTypeOf } from '../domain/output-files.ts';
import { DEFAULT_RESOURCES, type OutputFile } from '../domain/run.ts';
import type { ProgramResult, ProgramToRun } from '../domain/run-program.ts';
import { toProblem } from '../http-errors.ts';

const ports = executePorts();

export const handler = invokedHandler<ProgramToRun, ProgramResult>(
  toProblem,
  async (
    { workspaceId, keyId, stdin = '', environment = {}, onceKey, hidden, ...program },
    { deadlineMs, signal, background },
  ) => {
    const request = { ...program, stdin, environment, sessionId: null, resources: DEFAULT_RESOURCES };
    // An answer to another function has at most 6 MB: files go by address.
    const caller = { workspaceId, keyId, background, untilMs: deadlineMs, signal, maxInlineBytes: 0 };
    if (onceKey !== undefined)
      return toProgramResult(await executeOnce(request, onceKey, { ...caller, hidden }, ports));
    // Run as a batch of one: a syntax error and a time-out are then results, which the program's author can act on.
    const [result] = await executeBatch([request], caller, ports);
    return toProgramResult(result!);
  },
);

async function toProgramResult({ stdout, stderr, exitCode, seconds, outputs }: Ended): Promise<ProgramResult> {
  const link = async ({ path, size, object = '' }: OutputFile) => {
    return { path, size, mediaType: mediaTypeOf(path), url: await ports.files.link(object) };
  };
  const files = outputs && { files: await Promise.all(outputs.files.map(link)) };
  return { stdout, stderr, exitCode, seconds, ...files };
}

type Ended = Pick<ExecutionResult, 'stdout' | 'stderr' | 'exitCode' | 'seconds' | 'outputs'>;
