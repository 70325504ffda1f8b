import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StoreAddresses, StoreCalls, Stores } from './stores.ts';

/** A call of the main thread, or the answer to it. Errors lose their class on the way; what they are judged by is kept. */
export interface StoreCall {
  readonly id: number;
  readonly method: keyof StoreCalls;
  readonly args: readonly unknown[];
}

export interface StoreAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: PlainError;
}

export interface PlainError {
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: PlainError;
}

/** The id of the answer that the thread gives by itself: its addresses, or why it could not start. */
export const STARTED = 0;

/**
 * The stores in a thread of this process: what they do for a request takes as long as what the handlers do, and a machine
 * has several cores. Throws as `startStores` does.
 */
export async function startStoresThread(dataDirectory: string): Promise<Stores> {
  const worker = new Worker(new URL('./stores-main.ts', import.meta.url), { workerData: dataDirectory });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = STARTED;

  function answerTo(id: number): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    return answer.promise;
  }
  worker.on('message', ({ id, value, error }: StoreAnswer) => {
    const answer = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) answer?.resolve(value);
    else answer?.reject(toError(error));
  });
  // Without its stores the service can do nothing.
  worker.on('error', (error) => {
    throw error;
  });

  function call<M extends keyof StoreCalls>(method: M): StoreCalls[M] {
    const send = (...args: readonly unknown[]) => {
      calls += 1;
      worker.postMessage({ id: calls, method, args } satisfies StoreCall);
      return answerTo(calls);
    };
    return send as StoreCalls[M];
  }

  const addresses = (await answerTo(STARTED).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  })) as StoreAddresses;
  return {
    ...addresses,
    execute: call('execute'),
    conflictNextTransactions: call('conflictNextTransactions'),
    removeExpired: call('removeExpired'),
    async stop() {
      const ended = once(worker, 'exit');
      await call('stop')();
      await ended;
    },
  };
}

export function toPlain(error: unknown): PlainError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, cause } = error;
  return {
    message,
    code: (error as NodeJS.ErrnoException).code,
    ...(cause !== undefined && { cause: toPlain(cause) }),
  };
}

function toError({ message, code, cause }: PlainError): Error {
  return Object.assign(new Error(message, cause && { cause: toError(cause) }), { code });
}
