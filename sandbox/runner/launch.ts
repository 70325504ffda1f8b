import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Resources } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import { KeptOutput } from './kept-output.ts';
import { processUsage, type RunProcesses, threadsOfUser } from './process-usage.ts';
import type { RunDirectory } from './run-directory.ts';

/** What the launcher could not do; nothing of the program has run. */
export class LaunchFailed extends Error {
  override name = 'LaunchFailed';
}

export interface Launch {
  readonly confinement: Confinement;
  readonly uid: number | null;
  readonly directory: RunDirectory;
  /** Absolute path, then arguments. */
  readonly command: readonly string[];
  /** Files and directories outside its own that the program may read and execute. */
  readonly readable: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly resources: Resources;
  /** Address space beside the resident memory, for runtimes that reserve more than they use. */
  readonly reservedMb: number;
  readonly signal?: AbortSignal;
}

export interface LaunchResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + n when signal n ended it. */
  readonly exitCode: number;
  readonly seconds: number;
  /** Why the runner ended it, when it did. */
  readonly ended: 'timeout' | 'cancelled' | 'limit' | null;
}

const MOST_PROCESSES = 64;
const MOST_ENTRIES = 10_000;
const WATCH_EVERY_MS = 100;
/** Everything that a system's programs and libraries are made of. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/ld.so.cache', '/etc/alternatives'];
const SYSTEM_FACTS = [
  '/etc/localtime',
  '/etc/passwd',
  '/etc/group',
  '/etc/nsswitch.conf',
  '/etc/ssl/openssl.cnf',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/version',
  '/proc/filesystems',
  '/proc/sys/vm/overcommit_memory',
  '/sys/kernel/mm/transparent_hugepage/hpage_pmd_size',
  '/sys/devices/system/cpu',
];

/** Runs one command to its end: when this settles, no process of it is left. @throws LaunchFailed */
export async function launch(order: Launch): Promise<LaunchResult> {
  const child = spawn(order.confinement.launcher, launcherArguments(order), {
    env: { ...order.environment },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  const [stdin, stdout, stderr, report] = child.stdio as readonly unknown[] as readonly [
    Writable,
    Readable,
    Readable,
    Readable,
  ];
  const kept = [stdout, stderr].map(keep) as [KeptOutput, KeptOutput];
  const told = keep(report);
  // A program need not read what it is given.
  stdin.on('error', () => undefined);
  stdin.end(order.stdin);

  const watch = new Watch(child, order);
  try {
    await exited;
  } finally {
    watch.end();
  }
  const line = told.text().split('\n')[0] ?? '';
  const [kind, ...values] = line.split(' ');
  if (kind === 'E') throw new LaunchFailed(`The launcher failed: ${values.join(' ')}`);
  if (kind !== 'R') throw new LaunchFailed('The launcher ended without a report.');
  const [status = 0, ns = 0] = values.map(Number);
  const excess = watch.excess();
  return {
    stdout: kept[0].text(),
    stderr: withReason(kept[1].text(), excess),
    exitCode: excess === null ? exitCodeOf(status) : 137,
    seconds: ns / 1e9,
    ended: watch.ended,
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

function keep(stream: Readable): KeptOutput {
  const kept = new KeptOutput();
  stream.on('data', (chunk: Buffer) => kept.add(chunk));
  // A read that fails ends the stream; what was read counts.
  stream.on('error', () => undefined);
  return kept;
}

let nextProcessor = 0;

function launcherArguments({
  confinement,
  uid,
  directory,
  command,
  readable,
  resources,
  reservedMb,
}: Launch): string[] {
  const { cpu, memoryMb, diskMb } = resources;
  const processes = MOST_PROCESSES * 4 + (uid === null ? threadsOfUser(process.getuid?.() ?? 0) : 0);
  return [
    uid === null ? '-' : String(uid),
    String(processorMask(cpu)),
    String((memoryMb + reservedMb) * 1024 * 1024),
    String(diskMb * 1024 * 1024),
    String(processes),
    confinement.landlock ? '1' : '0',
    directory.path,
    ...SYSTEM,
    ...SYSTEM_FACTS,
    ...readable,
    '--',
    ...command,
  ];
}

/** `count` processors, other ones at every run, as far as there are so many. */
function processorMask(count: number): bigint {
  const all = Math.min(availableParallelism(), 64);
  let mask = 0n;
  for (let i = 0; i < Math.min(count, all); i += 1) mask |= 1n << BigInt(nextProcessor++ % all);
  return mask;
}

/** Ends a run for what the kernel does not count: time, memory of all processes together, disk. */
class Watch {
  ended: LaunchResult['ended'] = null;
  readonly #child: ChildProcess;
  readonly #order: Launch;
  readonly #timers: NodeJS.Timeout[];
  readonly #cancel = () => this.#stop('cancelled');
  #excess: string | null = null;

  constructor(child: ChildProcess, order: Launch) {
    this.#child = child;
    this.#order = order;
    this.#timers = [
      setTimeout(() => this.#stop('timeout'), order.timeoutMs),
      setInterval(() => this.#look(), WATCH_EVERY_MS),
    ];
    order.signal?.addEventListener('abort', this.#cancel);
    if (order.signal?.aborted) this.#cancel();
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#order.signal?.removeEventListener('abort', this.#cancel);
  }

  excess(): string | null {
    return this.#excess;
  }

  #look(): void {
    const { uid, directory, resources } = this.#order;
    const run: RunProcesses = uid === null ? { launcherPid: this.#child.pid ?? 0 } : { uid };
    const { processes, residentBytes } = processUsage(run);
    const { bytes, entries } = directory.usage(MOST_ENTRIES);
    const mb = 1024 * 1024;
    if (residentBytes > resources.memoryMb * mb)
      this.#exceed(`out of memory, more than ${resources.memoryMb} MB were in use`);
    else if (bytes > resources.diskMb * mb)
      this.#exceed(`out of disk space, more than ${resources.diskMb} MB were written`);
    else if (entries > MOST_ENTRIES) this.#exceed(`more than ${MOST_ENTRIES} files were made`);
    else if (processes > MOST_PROCESSES) this.#exceed(`more than ${MOST_PROCESSES} processes were started`);
  }

  #exceed(excess: string): void {
    if (this.ended === null) this.#excess = excess;
    this.#stop('limit');
  }

  #stop(reason: LaunchResult['ended']): void {
    this.ended ??= reason;
    this.#child.kill('SIGTERM');
  }
}
