import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants as osConstants } from 'node:os';
import type { Duplex } from 'node:stream';
import type { OutputFile, OutputFiles, ResourceUse, SkippedFile } from '../../functions/sandbox/domain/run.ts';
import { SHARED_DIRECTORIES } from './confinement.ts';
import { outOfMemory } from './held-resources.ts';
import type { Launch } from './launch-request.ts';
import { launcherArguments, sharedDirectories } from './launcher-arguments.ts';
import { readLauncherReport } from './launcher-report.ts';
import type { MemoryGroup } from './memory-groups.ts';
import { type EndedFor, ResourceMonitor, type WatchedDisk } from './resource-monitor.ts';
import { TruncatedOutput } from './truncated-output.ts';

/** The launcher could not start the program; nothing of it has run. */
export class LaunchFailed extends Error {
  override name = 'LaunchFailed';
}

export interface LaunchInput {
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Gets what the program prints as it comes. */
  readonly onOutput?: OutputListener;
}

export type OutputListener = (stream: 'stdout' | 'stderr', chunk: Buffer) => void;

export interface LaunchResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + n when signal n ended it. */
  readonly exitCode: number;
  /** Whether it is one of the preparing commands that has ended so. */
  readonly isPreparing: boolean;
  /** Wall time since it had its input. */
  readonly seconds: number;
  readonly used: ResourceUse;
  readonly outputs: OutputFiles;
  /** Why the runner ended it; null: it ended by itself. */
  readonly ended: EndedFor | null;
  /** The same for the user, where it was for a limit; it is in `stderr` too. */
  readonly reason: string | null;
}

const MB = 1024 * 1024;
/** 128 and the number of SIGKILL. */
const KILLED = 137;
/**
 * Margin of a memory group beyond the limits of a run: we count files in memory as disk, and the kernel's own share is not the program's.
 */
const GROUP_ROOM_MB = 64;

/** One confined command, from its start to its end. */
export class LaunchedProcess {
  readonly #launch: Launch;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #memoryGroup: MemoryGroup | null;
  #kernelKills = 0;
  #isMounted = false;
  readonly #report: Duplex;
  readonly #stdout = new TruncatedOutput();
  readonly #stderr = new TruncatedOutput();
  #stdin: Socket | null = null;
  /** Resolves once the input is there. */
  #input: string | null = null;
  readonly #outputs: Promise<unknown>[] = [];
  readonly #outputFiles: OutputFile[] = [];
  readonly #skippedFiles: SkippedFile[] = [];
  #listener: OutputListener | undefined;
  #hasPipes = false;
  #onHalted: () => void = () => undefined;
  #reported: string | null = null;
  #monitor: ResourceMonitor | null = null;

  constructor(launch: Launch) {
    this.#launch = launch;
    const { memoryMb, diskMb } = launch.resources;
    const group = launch.confinement.memoryGroups?.acquire((memoryMb + diskMb + GROUP_ROOM_MB) * MB) ?? null;
    this.#memoryGroup = group;
    this.#child = spawn(launch.confinement.launcher, launcherArguments(launch, group), {
      env: { ...launch.environment },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    this.#closed = this.#allClosed().finally(() => {
      this.#stdin?.destroy();
      this.#kernelKills = group?.kills() ?? 0;
      group?.release();
    });
    this.#closed.catch(() => undefined);
    this.#report = this.#child.stdio[3] as Duplex;
    readLauncherReport(this.#report, {
      line: (line) => this.#receive(line),
      file: (file) => void this.#outputFiles.push(file),
      skipped: (file) => void this.#skippedFiles.push(file),
    });
  }

  /** Where the runner reaches the files of the run; null: nowhere yet. */
  directory(): string | null {
    const { confinement, directory } = this.#launch;
    if (!confinement.ownFiles) return directory.path;
    return this.#isMounted && !this.hasEnded() ? `/proc/${this.#child.pid}/cwd` : null;
  }

  #disk(): WatchedDisk {
    const { confinement, directory } = this.#launch;
    const { ownFiles, freeWhenEmpty } = confinement;
    if (ownFiles) return { kind: 'own', directory: () => this.directory() };
    if (freeWhenEmpty !== null)
      return { kind: 'empty', directories: [confinement.directory, ...SHARED_DIRECTORIES], freeWhenEmpty };
    return { kind: 'shared', directories: [directory.path, ...sharedDirectories(this.#launch)] };
  }

  hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined;
  }

  /** Settles when no process of it is left. @throws LaunchFailed */
  async result({ stdin, timeoutMs, signal, onOutput }: LaunchInput): Promise<LaunchResult> {
    this.#listener = onOutput;
    const inputNs = process.hrtime.bigint();
    this.#input = stdin;
    this.#stdin?.end(stdin);
    const { resources } = this.#launch;
    this.#monitor = new ResourceMonitor({
      launcherPid: this.#child.pid ?? 0,
      disk: this.#disk(),
      resources,
      timeoutMs,
      ...(signal && { signal }),
      kernelKills: () => this.#memoryGroup?.kills() ?? 0,
      signalLauncher: (name) => void this.#child.kill(name),
    });
    try {
      await this.#closed;
    } finally {
      this.#monitor.end();
    }
    // The kernel may have ended it before the monitor looked.
    if (this.#kernelKills > 0) this.#monitor.exceed(outOfMemory(resources));
    const { excess, ended } = this.#monitor;
    // Ended before the launcher had started: a busy machine may take all of a short time-out for its start.
    if (this.#reported === null && ended !== null) return notBegun(inputNs, excess, ended);
    const { status, startedNs, endedNs, cpuMicroseconds, peakKib, commandsEnded } = readReport(this.#reported);
    const beganNs = startedNs > inputNs ? startedNs : inputNs;
    return {
      stdout: this.#stdout.text(),
      stderr: withReason(this.#stderr.text(), excess),
      exitCode: excess === null ? exitCodeOf(status) : KILLED,
      isPreparing: commandsEnded <= (this.#launch.preparing?.length ?? 0),
      // A program may end before it has its input.
      seconds: Math.max(0, Number(endedNs - beganNs)) / 1e9,
      used: {
        // The group counts unreaped processes, the monitor those between two samples: take the larger value.
        cpuSeconds: Math.max(cpuMicroseconds / 1e6, this.#monitor.cpuSeconds),
        memoryPeakBytes: Math.max(peakKib * 1024, this.#monitor.memoryPeakBytes),
        signal: excess === null ? signalOf(status) : 'SIGKILL',
        limit: ended === 'timeout' ? 'time' : this.#monitor.limit,
      },
      outputs: { files: this.#outputFiles.toSorted(byPath), skipped: this.#skippedFiles.toSorted(byPath) },
      ended,
      reason: excess,
    };
  }

  /** Resources used so far. */
  used(): ResourceUse {
    const { cpuSeconds = 0, memoryPeakBytes = 0 } = this.#monitor?.lookAgain() ?? {};
    return { cpuSeconds, memoryPeakBytes, signal: null, limit: null };
  }

  /** The files that were collected since the last time. */
  takeOutputs(): OutputFiles {
    const files = this.#outputFiles.splice(0).toSorted(byPath);
    return { files, skipped: this.#skippedFiles.splice(0).toSorted(byPath) };
  }

  /** Halts all of its processes. @returns when they are, and its files are collected */
  async halt(): Promise<void> {
    this.takeOutputs();
    const halted = Promise.withResolvers<void>();
    this.#onHalted = halted.resolve;
    this.#child.kill('SIGTSTP');
    await Promise.race([halted.promise, this.#closed]);
    if (!this.hasEnded()) this.#monitor?.halted(this.#memoryGroup?.freeze(true) ?? false);
  }

  goOn(): void {
    this.#memoryGroup?.freeze(false);
    this.#monitor?.goOn();
    this.#child.kill('SIGCONT');
  }

  /** Ends it before it has its input. */
  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#closed.catch(() => undefined);
  }

  async #allClosed(): Promise<void> {
    await once(this.#child, 'close');
    await Promise.all(this.#outputs);
  }

  #openPipes(line: string): void {
    const [, ...descriptors] = line.split(' ');
    try {
      const [stdin, stdout, stderr] = descriptors.map((fd, stream) =>
        openSync(
          `/proc/${this.#child.pid}/fd/${fd}`,
          constants.O_NONBLOCK | (stream === 0 ? constants.O_WRONLY : constants.O_RDONLY),
        ),
      ) as [number, number, number];
      // A program need not read its input.
      this.#stdin = new Socket({ fd: stdin, readable: false, writable: true }).on('error', () => undefined);
      if (this.#input !== null) this.#stdin.end(this.#input);
      const listen = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => this.#listener?.(stream, chunk);
      this.#outputs.push(keep(stdout, this.#stdout, listen('stdout')), keep(stderr, this.#stderr, listen('stderr')));
      this.#hasPipes = true;
      this.#begin();
    } catch (error) {
      this.#reported ??= `E ${(error as Error).message}`;
      this.#report.destroy();
    }
  }

  /** Lets the program start, once its pipes are open and its files in their place. */
  #begin(): void {
    const { place, confinement } = this.#launch;
    if (!this.#hasPipes || (place !== undefined && confinement.ownFiles && !this.#isMounted)) return;
    if (confinement.ownFiles) place?.(`/proc/${this.#child.pid}/cwd`);
    this.#report.write('.');
  }

  #receiveMounted(): void {
    this.#isMounted = true;
    if (this.#launch.place === undefined) return;
    try {
      this.#begin();
    } catch (error) {
      this.#reported ??= `E ${(error as Error).message}`;
      this.#report.destroy();
    }
  }

  #receive(line: string): void {
    if (line.startsWith('S ')) this.#monitor?.record(line);
    else if (line === 'H') this.#onHalted();
    else if (line === 'M') this.#receiveMounted();
    else if (line.startsWith('P ')) this.#openPipes(line);
    else this.#reported ??= line;
  }
}

/** Runs one command to its end: when this settles, no process of it is left. @throws LaunchFailed */
export function launch(options: Launch & LaunchInput): Promise<LaunchResult> {
  return new LaunchedProcess(options).result(options);
}

function notBegun(inputNs: bigint, excess: string | null, ended: EndedFor): LaunchResult {
  const seconds = Number(process.hrtime.bigint() - inputNs) / 1e9;
  return {
    stdout: '',
    stderr: withReason('', excess),
    exitCode: KILLED,
    isPreparing: false,
    seconds,
    used: { cpuSeconds: 0, memoryPeakBytes: 0, signal: 'SIGKILL', limit: ended === 'timeout' ? 'time' : null },
    outputs: { files: [], skipped: [] },
    ended,
    reason: excess,
  };
}

function readReport(line: string | null): {
  status: number;
  startedNs: bigint;
  endedNs: bigint;
  cpuMicroseconds: number;
  peakKib: number;
  commandsEnded: number;
} {
  if (line === null) throw new LaunchFailed('The launcher ended without a report.');
  const [kind, ...values] = line.split(' ');
  if (kind !== 'R') throw new LaunchFailed(`The launcher failed: ${values.join(' ')}`);
  const [status = '', started = '', ended = '', cpu = '', peak = '', commands = ''] = values;
  return {
    status: Number(status),
    startedNs: BigInt(started),
    endedNs: BigInt(ended),
    cpuMicroseconds: Number(cpu),
    peakKib: Number(peak),
    commandsEnded: Number(commands),
  };
}

function withReason(stderr: string, excess: string | null): string {
  if (excess === null) return stderr;
  return `${stderr}${stderr === '' || stderr.endsWith('\n') ? '' : '\n'}Killed: ${excess}\n`;
}

/** Of a wait status, as a shell gives it. */
function exitCodeOf(status: number): number {
  const signal = status & 0x7f;
  return signal === 0 ? (status >> 8) & 0xff : 128 + signal;
}

/** Null: it ended by itself. */
function signalOf(status: number): string | null {
  const signal = status & 0x7f;
  if (signal === 0) return null;
  return Object.entries(osConstants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** @returns when the last process that could write there is gone. */
async function keep(fd: number, output: TruncatedOutput, listen: (chunk: Buffer) => void): Promise<void> {
  const stream = new Socket({ fd, readable: true, writable: false });
  stream.on('data', (chunk: Buffer) => {
    output.add(chunk);
    listen(chunk);
  });
  // A failed read ends the stream; earlier data counts.
  stream.on('error', () => undefined);
  await new Promise((resolve) => stream.once('close', resolve));
}
