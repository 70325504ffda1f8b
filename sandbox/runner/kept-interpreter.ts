import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceUse, RunOutcome, ShownValue } from '../../functions/sandbox/domain/run.ts';
import { type CallEnd, readCallEnd } from './call-end.ts';
import type { Confinement } from './confinement.ts';
import type { Language } from './languages/language.ts';
import { LaunchedProcess, type LaunchResult, type OutputListener } from './launch.ts';
import { MarkedStream } from './marked-stream.ts';
import { pipeTo } from './named-pipe.ts';
import { programEnvironment } from './program-environment.ts';
import type { ReceivedRun } from './read-run.ts';
import { RunDirectory, withoutPath, withoutPathInStacks } from './run-directory.ts';
import { TruncatedOutput } from './truncated-output.ts';

const PIPE = '.session';
const MAX_IDLE_MS = 10 * 60_000;
const MAX_LIFE_MS = 60 * 60_000;

/** The interpreter itself interrupts a call whose time is over, and keeps its variables. If it cannot, the session ends this much later. */
const INTERRUPTION_MS = 1_000;

/**
 * An interpreter that runs one call after another in the same state. It is confined as any other program, and its limits hold for
 * all of its life; between calls all of its processes are halted. Its files come and go by the interpreter itself and the launcher: the
 * runner opens nothing in its directory once a program has been there.
 */
export class KeptInterpreter {
  readonly directory: RunDirectory;
  /** When nothing of it is left. */
  readonly ended: Promise<LaunchResult>;
  readonly #launched: LaunchedProcess;
  readonly #stop = new AbortController();
  readonly #idle: NodeJS.Timeout;
  readonly #explain: (message: string) => string;
  #pipe: Socket | null = null;
  #listener: OutputListener = () => undefined;
  #halted: Promise<unknown> = Promise.resolve();
  /** Up to the end of the last call: later time is part of the next one. */
  #cpuSeconds: number | null = null;

  private constructor(directory: RunDirectory, launched: LaunchedProcess, explain: (message: string) => string) {
    this.directory = directory;
    this.#explain = explain;
    this.#launched = launched;
    this.#idle = setTimeout(() => this.end(), MAX_IDLE_MS).unref();
    this.ended = launched.result({
      stdin: '',
      timeoutMs: MAX_LIFE_MS,
      signal: this.#stop.signal,
      onOutput: (stream, chunk) => this.#listener(stream, chunk),
    });
    this.ended.then(
      () => clearTimeout(this.#idle),
      () => clearTimeout(this.#idle),
    );
  }

  /** @throws when it could not be started; then nothing of it is left */
  static async start(language: Language, confinement: Confinement, { resources }: Pick<ReceivedRun, 'resources'>) {
    const command = language.keep?.(resources);
    if (command === undefined) throw new Error(`${language.name} cannot be kept.`);
    const directory = await RunDirectory.make(confinement);
    const kept = new KeptInterpreter(
      directory,
      new LaunchedProcess({
        confinement,
        directory,
        command,
        readable: language.readable,
        environment: programEnvironment(language, directory, {}),
        resources,
        reservedMb: language.reservedMb,
        pipe: PIPE,
        collects: true,
      }),
      language.explain ?? ((message) => message),
    );
    kept.#pipe = await pipeTo(PIPE, kept.#launched).catch(() => null);
    if (kept.#pipe !== null) return kept;
    kept.end();
    await kept.ended.catch(() => undefined);
    await directory.remove();
    throw new Error('The interpreter of the session ended while it started.');
  }

  get hasEnded(): boolean {
    return this.#launched.hasEnded() || this.#stop.signal.aborted;
  }

  end(): void {
    this.#stop.abort();
    this.#pipe?.destroy();
  }

  /** One call. A timeout that the interpreter does not notice, an abort or the end of the interpreter ends the session as well. */
  async call(run: ReceivedRun, signal?: AbortSignal, onOutput?: OutputListener): Promise<RunOutcome> {
    this.#idle.refresh();
    await this.#halted;
    const mark = randomBytes(16).toString('hex');
    const output = { stdout: new TruncatedOutput(), stderr: new TruncatedOutput() };
    const marked = (name: 'stdout' | 'stderr') =>
      new MarkedStream(mark, (chunk) => {
        output[name].add(chunk);
        onOutput?.(name, chunk);
      });
    const streams = { stdout: marked('stdout'), stderr: marked('stderr') };
    this.#listener = (name, chunk) => streams[name].add(chunk);
    const cpuSecondsBefore = this.#cpuSeconds ?? this.#launched.used().cpuSeconds;
    const startedMs = performance.now();
    this.#launched.goOn();
    this.#send({ ...run, mark });
    const stopWaiting = new AbortController();
    const timeout = sleep(run.timeoutSeconds * 1000 + INTERRUPTION_MS, 'timeout' as const, {
      signal: stopWaiting.signal,
    });
    timeout.catch(() => undefined);
    const onAbort = () => this.end();
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    try {
      const both = Promise.all([streams.stdout.payload, streams.stderr.payload]).then(
        ([end]) => readCallEnd(end),
        () => null,
      );
      const first = await Promise.race([both, this.ended, timeout]);
      const seconds = (performance.now() - startedMs) / 1000;
      signal?.throwIfAborted();
      const isCallEnd = first !== null && first !== 'timeout' && !('ended' in first);
      const halted = isCallEnd ? this.#launched.halt() : Promise.resolve();
      this.#halted = halted;
      if (!isCallEnd) this.end();
      const result = isCallEnd ? null : await this.ended;
      const used = result?.used ?? this.#launched.used();
      this.#cpuSeconds = used.cpuSeconds;
      const takesFiles = run.files !== undefined || (isCallEnd && first.shown);
      if (takesFiles) await halted;
      const outputs = result?.outputs ?? this.#launched.takeOutputs();
      const isTimeout = first === 'timeout' || (isCallEnd && first.timedOut);
      const printed = {
        stdout: withoutPathInStacks(output.stdout.text(), this.directory),
        stderr: withoutPath(output.stderr.text(), this.directory),
        seconds,
        ...(takesFiles && { outputs }),
        ...(run.reportsUse && { used: useSince(cpuSecondsBefore, used, isTimeout) }),
      };
      if (isTimeout) return { kind: 'timed_out', ...printed };
      if (isCallEnd) {
        const { exitCode, invalid } = first;
        if (invalid !== undefined)
          return { kind: 'invalid_syntax', message: this.#explain(withoutPath(invalid, this.directory)), seconds };
        return { kind: 'finished', exitCode, ...printed, ...shownValue(first) };
      }
      const { exitCode = 1, reason = null } = result ?? {};
      const stderr = reason === null ? printed.stderr : `${printed.stderr}Killed: ${reason}\n`;
      return { kind: 'finished', exitCode, ...printed, stderr };
    } finally {
      stopWaiting.abort();
      signal?.removeEventListener('abort', onAbort);
      this.#listener = () => undefined;
      this.#idle.refresh();
    }
  }

  #send({ code, stdin, environment, files, timeoutSeconds, mark }: ReceivedRun & { readonly mark: string }): void {
    const sizes = files?.map(({ path, bytes }) => ({ path, size: bytes.length })) ?? null;
    const message = Buffer.from(JSON.stringify({ code, stdin, environment, files: sizes, timeoutSeconds, mark }));
    this.#pipe?.write(`${message.length}\n`);
    this.#pipe?.write(message);
    for (const { bytes } of files ?? []) this.#pipe?.write(bytes);
  }
}

function useSince(cpuSecondsBefore: number, used: ResourceUse, isTimeout: boolean): ResourceUse {
  const { cpuSeconds, limit } = used;
  return {
    ...used,
    cpuSeconds: Math.max(0, cpuSeconds - cpuSecondsBefore),
    limit: isTimeout ? 'time' : limit,
  };
}

function shownValue({ value, html, table }: CallEnd): Partial<ShownValue> {
  return { ...(value !== undefined && { value }), ...(html !== undefined && { html }), ...(table && { table }) };
}
