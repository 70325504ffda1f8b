import type { Ids } from '../../shared/ports/ids.ts';
import { ExecutionFailed, ExecutionRefused } from './execution-refused.ts';
import { LANGUAGES, type LanguageName, type Run, type RunOutcome } from './run.ts';
import { type SandboxPool, SandboxUnavailable } from './sandbox-pool.ts';

export interface ExecutePorts {
  readonly pool: SandboxPool;
  readonly ids: Ids;
}

/** What a caller asks for; the language is any text yet. */
export interface ExecutionRequest extends Omit<Run, 'language'> {
  readonly language: string;
  readonly sessionId: string | null;
}

export interface ExecutionResult {
  readonly executionId: string;
  readonly stdout: string;
  readonly stderr: string;
  /** -1: the execution itself failed, and `stderr` says why. */
  readonly exitCode: number;
  readonly seconds: number;
  readonly language: string;
  readonly sessionId: string | null;
}

export const MOST_IN_A_BATCH = 10;
/** A batch answers within one call. */
export const MOST_BATCH_SECONDS = 14 * 60;

/** Runs one program. @throws ExecutionRefused, ExecutionFailed, SandboxUnavailable */
export async function execute(request: ExecutionRequest, ports: ExecutePorts): Promise<ExecutionResult> {
  const [run] = await runsOf([request], ports.pool);
  const outcome = await begun(ports.pool.run(run as Run));
  if (outcome.kind === 'invalid_syntax')
    throw new ExecutionRefused('invalid_syntax', `Invalid code syntax: ${outcome.message}`);
  if (outcome.kind === 'timed_out') throw new ExecutionFailed(timedOut(request));
  return resultOf(request, outcome, ports.ids);
}

/**
 * Runs the programs of a batch that `requireBatch` let through, one after another; what happens to one does not touch the
 * next. @throws ExecutionRefused before any has run
 */
export async function executeBatch(
  requests: readonly ExecutionRequest[],
  ports: ExecutePorts,
): Promise<ExecutionResult[]> {
  const runs = await runsOf(requests, ports.pool);
  const results: ExecutionResult[] = [];
  for (const [index, run] of runs.entries()) {
    const outcome = await begun(ports.pool.run(run)).catch((error: Error) => error);
    results.push(resultOf(requests[index] as ExecutionRequest, outcome, ports.ids));
  }
  return results;
}

/** @throws ExecutionRefused for a batch that no limit lets through */
export function requireBatch(requests: readonly ExecutionRequest[]): void {
  if (requests.length > MOST_IN_A_BATCH)
    throw new ExecutionRefused('batch_too_large', `Maximum ${MOST_IN_A_BATCH} executions allowed in a batch`);
  const seconds = requests.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
  if (seconds > MOST_BATCH_SECONDS)
    throw new ExecutionRefused(
      'invalid_request',
      `The timeouts of a batch may add up to ${MOST_BATCH_SECONDS} seconds, and these add up to ${seconds}. Send smaller timeouts or a smaller batch.`,
    );
}

/** @throws ExecutionRefused when one of the languages is not to be had */
async function runsOf(requests: readonly ExecutionRequest[], pool: SandboxPool): Promise<Run[]> {
  const available = (await pool.languages()).map(({ name }) => name).toSorted();
  return requests.map(({ sessionId, language, ...rest }) => {
    if (!isLanguage(language) || !available.includes(language))
      throw new ExecutionRefused(
        'unsupported_language',
        `Unsupported language: ${language}. Supported languages: ${available.join(', ')}`,
      );
    return { ...rest, language };
  });
}

const isLanguage = (text: string): text is LanguageName => (LANGUAGES as readonly string[]).includes(text);

/** What was lost on the way has an unknown end: it is a failure, and never tried again. */
async function begun(running: Promise<RunOutcome>): Promise<RunOutcome> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof SandboxUnavailable) throw error;
    throw new ExecutionFailed('The runner ended in the middle of it; it was not started again.', error);
  }
}

function resultOf(request: ExecutionRequest, outcome: RunOutcome | Error, ids: Ids): ExecutionResult {
  const { language, sessionId } = request;
  const common = { executionId: ids.next('exec'), language, sessionId };
  if (outcome instanceof Error) return { ...common, stdout: '', stderr: outcome.message, exitCode: -1, seconds: 0 };
  switch (outcome.kind) {
    case 'finished': {
      const { stdout, stderr, exitCode, seconds } = outcome;
      return { ...common, stdout, stderr, exitCode, seconds };
    }
    case 'timed_out': {
      const { stdout, stderr, seconds } = outcome;
      const separator = stderr === '' || stderr.endsWith('\n') ? '' : '\n';
      return { ...common, stdout, stderr: `${stderr}${separator}${timedOut(request)}`, exitCode: -1, seconds };
    }
    case 'invalid_syntax':
      return {
        ...common,
        stdout: '',
        stderr: `Invalid code syntax: ${outcome.message}`,
        exitCode: -1,
        seconds: outcome.seconds,
      };
  }
}

function timedOut({ timeoutSeconds }: ExecutionRequest): string {
  return `Execution timed out after ${timeoutSeconds} second${timeoutSeconds === 1 ? '' : 's'}`;
}
