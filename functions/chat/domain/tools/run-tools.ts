import { boundedJson } from '../../../shared/bounded-json.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { AnswerFile } from '../answer-files.ts';
import type { AskPorts } from '../ask-models.ts';
import type { ToolCall } from '../messages.ts';
import {
  type Tool,
  type ToolArguments,
  type ToolContext,
  ToolFailed,
  type ToolFailureCode,
  type ToolResult,
} from './tool.ts';

/** A call that has ended, whether well or not: its result goes to the model either way. */
export interface FinishedCall {
  readonly call: ToolCall;
  readonly name: string;
  readonly status: 'succeeded' | 'failed';
  /** Text for the model. */
  readonly text: string;
  readonly failure: { readonly code: ToolFailureCode; readonly message: string } | null;
  readonly files: readonly AnswerFile[];
  readonly elapsedMs: number;
}

export interface RunPorts extends Pick<AskPorts, 'pause'> {
  readonly clock: Clock;
  /** Called with a fault of a tool's own code. */
  readonly onFault: (toolName: string, error: unknown) => void;
}

export type CallContext = Omit<ToolContext, 'deadlineMs' | 'signal'>;

export interface RunLimits {
  /** Epoch time at which all calls are given up. */
  readonly untilMs: number;
  /** Characters of a result that go to the model. */
  readonly maxLength: number;
}

/** Longest time of one call. */
export const TOOL_TIMEOUT_MS = 60_000;
/** Calls of one step; those beyond are refused. */
export const MAX_CALLS = 16;
const MAX_AT_ONCE = 8;

/** Runs the calls of one step side by side. @returns each as it ends. @throws what `signal` was aborted with. */
export async function* runTools(
  calls: readonly ToolCall[],
  tools: ReadonlyMap<string, Tool>,
  context: CallContext,
  limits: RunLimits,
  signal: AbortSignal,
  ports: RunPorts,
): AsyncGenerator<FinishedCall> {
  const waiting = [...calls.entries()];
  const running = new Map<number, Promise<readonly [number, FinishedCall]>>();
  while (waiting.length > 0 || running.size > 0) {
    while (waiting.length > 0 && running.size < MAX_AT_ONCE) {
      const [index, call] = waiting.shift()!;
      const run = index < MAX_CALLS ? () => runOne(call, tools, context, limits, signal, ports) : tooMany;
      running.set(
        index,
        finished(call, run, limits.maxLength, signal, ports).then((each) => [index, each] as const),
      );
    }
    const [index, each] = await Promise.race(running.values());
    running.delete(index);
    // A call that was given up because its client has gone is not a failed call.
    signal.throwIfAborted();
    yield each;
  }
}

async function tooMany(): Promise<never> {
  throw new ToolFailed('refused', `At most ${MAX_CALLS} tools are called at once. Call the others afterwards.`);
}

async function finished(
  call: ToolCall,
  run: () => Promise<ToolResult>,
  maxLength: number,
  client: AbortSignal,
  { clock, onFault }: RunPorts,
): Promise<FinishedCall> {
  const name = call.function?.name ?? '';
  const startedMs = clock.now();
  const ended = (rest: Pick<FinishedCall, 'status' | 'text' | 'failure' | 'files'>): FinishedCall => ({
    call,
    name,
    ...rest,
    elapsedMs: clock.now() - startedMs,
  });
  try {
    const { text, files = [] } = await run();
    return ended({ status: 'succeeded', text: boundedText(text, maxLength), failure: null, files });
  } catch (error) {
    if (!(error instanceof ToolFailed) && !client.aborted) onFault(name, error);
    const { code, message } =
      error instanceof ToolFailed ? error : new ToolFailed('failed', 'The tool failed. Answer without it.');
    const text = boundedText(`The tool failed (${code}): ${message}`, maxLength);
    return ended({ status: 'failed', text, failure: { code, message: boundedText(message, maxLength) }, files: [] });
  }
}

async function runOne(
  call: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  context: CallContext,
  { untilMs, maxLength }: RunLimits,
  client: AbortSignal,
  { clock, pause }: RunPorts,
): Promise<ToolResult> {
  const tool = tools.get(call.function?.name ?? '');
  if (tool === undefined)
    throw new ToolFailed('unknown_tool', `Tool not found. The tools are: ${[...tools.keys()].join(', ')}.`);
  const args = parsedArguments(call.function!.arguments);
  const timeoutMs = Math.min(TOOL_TIMEOUT_MS, untilMs - clock.now());
  const late = new ToolFailed('timeout', `The tool took longer than ${Math.ceil(timeoutMs / 1000)} seconds.`);
  if (timeoutMs <= 0) throw new ToolFailed('timeout', 'The time for tools is over. Answer with what you know.');
  const stop = new AbortController();
  const ended = new AbortController();
  const signal = AbortSignal.any([client, stop.signal]);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const timeout = pause.wait(timeoutMs, AbortSignal.any([client, ended.signal])).then(() => {
    if (!ended.signal.aborted) stop.abort(late);
  });
  try {
    client.throwIfAborted();
    const running = tool.run(args, { ...context, deadlineMs: clock.now() + timeoutMs, signal });
    const { text, isCut = false, ...rest } = await Promise.race([running, aborted]);
    return { ...rest, text: isCut ? `${text.slice(0, maxLength)}${CUT}` : text };
  } finally {
    ended.abort();
    await timeout;
  }
}

/** @throws ToolFailed */
function parsedArguments(text: string): ToolArguments {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : boundedJson(text);
  } catch (error) {
    throw new ToolFailed('invalid_arguments', `The arguments are not valid JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ToolFailed('invalid_arguments', 'The arguments must be a JSON object.');
  return value as ToolArguments;
}

const CUT = '\n[The result is longer; the rest is left out.]';

/** A text cut to the maximum length, with a note that says so. */
export function boundedText(text: string, maxLength: number): string {
  if (text.length <= maxLength + CUT.length) return text;
  return `${text
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}${CUT}`;
}
