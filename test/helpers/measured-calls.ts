import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type CallUnits, unitsOf } from '../../bin/costs/call-units.ts';
import { setAroundHandler } from '../../gateway/around-handler.ts';

/** One invocation of a function: what `bin/costs/measure.ts` makes the committed figures from. */
export interface MeasuredInvocation {
  readonly id: string;
  /** Status of the response; 0 where the function answers no request. */
  readonly status: number;
  /** Processor time of this thread meanwhile. */
  readonly cpuMs: number;
  /** Calls of AWS, each of which started after the one before had ended. */
  readonly inTurn: number;
  readonly responseBytes: number;
  readonly calls: readonly CallUnits[];
}

interface Running {
  readonly calls: CallUnits[];
  readonly times: { readonly from: number; to: number }[];
}

/** Writes a line for each invocation of a function of the local service: the calls of AWS that it makes, and its own work. */
export function measureCalls(file: string): void {
  const running = new AsyncLocalStorage<Running>();
  setAroundHandler((id, handler) => {
    const measured = async (target: typeof handler, self: unknown, args: unknown[]) => {
      const invocation: Running = { calls: [], times: [] };
      const bytes = countWritten(args[1]);
      const before = process.threadCpuUsage();
      const result = await running.run(invocation, () => Reflect.apply(target, self, args));
      const { user, system } = process.threadCpuUsage(before);
      const { statusCode = 0, body = '' } = (result ?? {}) as { statusCode?: number; body?: string };
      const line: MeasuredInvocation = {
        id,
        status: statusCode,
        cpuMs: (user + system) / 1000,
        inTurn: longestChain(invocation.times),
        responseBytes: bytes() || Buffer.byteLength(body),
        calls: invocation.calls,
      };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      return result;
    };
    return new Proxy(handler, { apply: (target, self, args) => measured(target, self, args) });
  });

  let prototype = GetItemCommand.prototype as object;
  while (!Object.hasOwn(prototype, 'resolveMiddlewareWithContext')) prototype = Object.getPrototypeOf(prototype);
  const commands = prototype as { resolveMiddlewareWithContext: (...args: unknown[]) => Send; input?: unknown };
  const resolve = commands.resolveMiddlewareWithContext;
  commands.resolveMiddlewareWithContext = function (this: { input: object }, ...args) {
    const { clientName, commandName } = args[3] as { clientName: string; commandName: string };
    const { input } = this;
    const send = resolve.apply(this, args);
    const invocation = running.getStore();
    if (invocation === undefined) return send;
    return async (...request) => {
      const time = { from: performance.now(), to: Number.POSITIVE_INFINITY };
      invocation.times.push(time);
      const result = await send(...request).finally(() => {
        time.to = performance.now();
      });
      // An address that was signed is not a call.
      if (!('presigned' in result.output))
        invocation.calls.push(unitsOf(clientName, commandName, input, result.output));
      return result;
    };
  };
}

type Send = (...request: unknown[]) => Promise<{ readonly output: object }>;

/** Counts what a handler that streams writes. */
function countWritten(stream: unknown): () => number {
  let bytes = 0;
  const { write, end } = (stream ?? {}) as { write?: unknown; end?: unknown };
  if (typeof write !== 'function' || typeof end !== 'function') return () => 0;
  const counting =
    (method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) bytes += Buffer.byteLength(chunk);
      return method.apply(stream, args);
    };
  Object.assign(stream as object, { write: counting(write as never), end: counting(end as never) });
  return () => bytes;
}

function longestChain(times: readonly { readonly from: number; readonly to: number }[]): number {
  let chain = 0;
  let endedAt = 0;
  for (const { from, to } of times.toSorted((a, b) => a.to - b.to))
    if (from >= endedAt) {
      chain += 1;
      endedAt = to;
    }
  return chain;
}
