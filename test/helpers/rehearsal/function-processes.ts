import { type ChildProcess, fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { handlerModule } from '../../../functions/shared/handler-module.ts';
import type { Answer, Call } from './function-host.ts';

interface FunctionProcess {
  readonly child: ChildProcess;
  readonly waiting: Map<number, { readonly stream: Target | null; readonly done: PromiseWithResolvers<unknown> }>;
}

/** The stream that the gateway gives a streaming handler. */
type Target = Writable & { setPrelude(prelude: object): void };

type EnvironmentOf = (id: string) => Promise<Readonly<Record<string, string>>>;

const HOST = fileURLToPath(new URL('./function-host.ts', import.meta.url));
/** Processes at once: the oldest idle one ends for a new one, as an environment on Lambda does. */
const MAX_PROCESSES = 60;
const TIMEOUT_MS = 120_000;

/** Runs each function in its own process. */
export class FunctionProcesses {
  readonly #bundles: string;
  readonly #environmentOf: EnvironmentOf;
  readonly #log: number;
  readonly #processes = new Map<string, Promise<FunctionProcess>>();
  #calls = 0;

  /** @param bundles the folder that `bundleFunctions` filled. @param logFile output of all functions. */
  constructor(bundles: string, logFile: string, environmentOf: EnvironmentOf) {
    this.#bundles = bundles;
    this.#environmentOf = environmentOf;
    this.#log = openSync(logFile, 'a');
  }

  /** @param args as the local gateway calls a handler: event, context; or event, stream, context. */
  async invoke(id: string, [event, ...rest]: readonly unknown[]): Promise<unknown> {
    const process = await this.#process(id);
    const context = rest.at(-1) as { awsRequestId?: string; getRemainingTimeInMillis?: () => number } | undefined;
    const stream = rest.length > 1 ? (rest[0] as Target) : null;
    this.#calls += 1;
    const call = this.#calls;
    const done = Promise.withResolvers<unknown>();
    process.waiting.set(call, { stream, done });
    process.child.send({
      call,
      event: event ?? {},
      requestId: context?.awsRequestId ?? `call-${call}`,
      deadlineMs: Date.now() + (context?.getRemainingTimeInMillis?.() ?? TIMEOUT_MS),
    } satisfies Call);
    const result = await done.promise;
    if (stream !== null) stream.end();
    return result;
  }

  async stop(): Promise<void> {
    for (const { child } of await Promise.all(this.#processes.values())) child.disconnect();
    this.#processes.clear();
  }

  #process(id: string): Promise<FunctionProcess> {
    const process = this.#processes.get(id) ?? this.#start(id);
    // The last used one is at the end.
    this.#processes.delete(id);
    this.#processes.set(id, process);
    return process;
  }

  async #start(id: string): Promise<FunctionProcess> {
    const environment = await this.#environmentOf(id);
    await this.#makeRoom(id);
    const bundle = pathToFileURL(join(this.#bundles, handlerModule({ id: id as never }), 'index.mjs')).href;
    const child = fork(HOST, [bundle], {
      env: environment,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', this.#log, this.#log, 'ipc'],
    });
    const ready = Promise.withResolvers<void>();
    const waiting: FunctionProcess['waiting'] = new Map();
    child.on('message', (message: 'ready' | Answer) => {
      if (message === 'ready') ready.resolve();
      else settle(waiting, message);
    });
    child.on('exit', (code) => {
      const error = new Error(`The process of ${id} ended with ${code}.`);
      ready.reject(error);
      for (const { done } of waiting.values()) done.reject(error);
      this.#processes.delete(id);
    });
    await ready.promise;
    return { child, waiting };
  }

  async #makeRoom(newcomer: string): Promise<void> {
    if (this.#processes.size <= MAX_PROCESSES) return;
    for (const [id, started] of this.#processes) {
      if (id === newcomer) continue;
      const { child, waiting } = await started;
      if (waiting.size > 0) continue;
      this.#processes.delete(id);
      child.disconnect();
      return;
    }
  }
}

function settle(waiting: FunctionProcess['waiting'], answer: Answer): void {
  const invocation = waiting.get(answer.call);
  if (invocation === undefined) return;
  const { stream, done } = invocation;
  if (answer.kind === 'result' || answer.kind === 'error') waiting.delete(answer.call);
  switch (answer.kind) {
    case 'prelude':
      stream?.setPrelude(answer.prelude);
      break;
    case 'part':
      // IPC makes plain byte arrays of buffers.
      stream?.write(Buffer.from(answer.bytes));
      break;
    case 'result':
      done.resolve(answer.value);
      break;
    case 'error':
      done.reject(Object.assign(new Error(answer.message), { name: answer.name }));
  }
}
