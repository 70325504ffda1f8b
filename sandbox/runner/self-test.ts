import { randomUUID } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_RESOURCES } from '../../functions/sandbox/domain/run.ts';
import { type Confinement, NoConfinement } from './confinement.ts';
import { LaunchFailed, launch } from './launch.ts';
import { RunDirectory } from './run-directory.ts';

/** Run as a user's program is; prints what it could do and must not. */
const PROBE = `
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
const [runnerPid, runnerUid, ownUser, other] = process.argv.slice(2);
const wrong = [];
const fact = (what, holds) => { if (!holds) wrong.push(what); };
const refused = (what, act) => { try { act(); wrong.push(what); } catch {} };
const status = readFileSync('/proc/self/status', 'utf8');
fact('it can gain privileges', /^NoNewPrivs:\\s1$/m.test(status));
fact('its system calls are not filtered', /^Seccomp:\\s2$/m.test(status));
fact('it has capabilities', /^CapEff:\\s0+$/m.test(status));
fact('it has the user of the runner', ownUser === 'no' || process.getuid() !== Number(runnerUid));
fact('it is in groups of others', ownUser === 'no' || process.getgroups().every((group) => group === process.getgid()));
const limits = readFileSync('/proc/self/limits', 'utf8');
for (const name of ['Max data size', 'Max file size', 'Max processes'])
  fact(name + ' is unlimited', new RegExp('^' + name + '\\\\s+\\\\d+\\\\s+\\\\d+', 'm').test(limits));
refused('it can read the directory of another run', () => readdirSync(other));
refused('it can read the environment of the runner', () => readFileSync('/proc/' + runnerPid + '/environ'));
refused('it can signal the runner', () => process.kill(Number(runnerPid), 0));
const server = createServer();
server.on('error', () => console.log(JSON.stringify(wrong)));
server.listen(0, '127.0.0.1', () => { wrong.push('it can open sockets'); server.close(); console.log(JSON.stringify(wrong)); });
`;

/**
 * Verifies the confinement by a probe.
 * @returns the confinement that holds: without Landlock if the kernel lacks it, relying on separate users; without memory groups or
 * private file systems if no program can get one.
 * @throws NoConfinement naming the part that does not hold.
 */
export async function selfTest(confinement: Confinement): Promise<Confinement> {
  try {
    await probe(confinement);
    return confinement;
  } catch (error) {
    if (!(error instanceof NoConfinement && error.cause instanceof LaunchFailed)) throw error;
    const { message } = error.cause;
    if (NO_MEMORY_GROUP.test(message)) {
      confinement.memoryGroups?.close();
      return selfTest({ ...confinement, memoryGroups: null });
    }
    if (confinement.landlock && NO_LANDLOCK.test(message)) {
      if (process.getuid?.() !== 0) throw error;
      return selfTest({ ...confinement, landlock: false });
    }
    if (confinement.ownFiles) return selfTest({ ...confinement, ownFiles: false });
    throw error;
  }
}

/** ENOSYS: not built in; EOPNOTSUPP: switched off; EPERM: kept from us, as by a container's filter. */
const NO_LANDLOCK = /landlock (38|95|1)$/;
/** For any reason: the monitor's count bounds memory as well. */
const NO_MEMORY_GROUP = /memory group \d+$/;

async function probe(confinement: Confinement): Promise<void> {
  const other = join(confinement.directory, randomUUID());
  await mkdir(other, { mode: 0o700 });
  const directory = await RunDirectory.make(confinement, { 'probe.mjs': PROBE });
  const { uid } = directory;
  try {
    const facts = [process.pid, process.getuid?.(), uid === null ? 'no' : 'yes', other].map(String);
    const { stdout, stderr } = await launch({
      confinement,
      directory,
      command: [process.execPath, 'probe.mjs', ...facts],
      readable: [process.execPath],
      environment: {},
      stdin: '',
      timeoutMs: 20_000,
      resources: DEFAULT_RESOURCES,
      reservedMb: 640,
    });
    const wrong = findings(stdout);
    if (wrong === null) throw new NoConfinement(`The probe gave no findings: ${stderr.trim() || 'it said nothing'}.`);
    if (wrong.length > 0) throw new NoConfinement(`This machine does not keep a program in: ${wrong.join('; ')}.`);
  } catch (error) {
    if (error instanceof LaunchFailed) throw new NoConfinement(whyNot(error, uid), { cause: error });
    throw error;
  } finally {
    await Promise.all([directory.remove(), rmdir(other)]);
  }
}

function findings(stdout: string): string[] | null {
  try {
    return JSON.parse(stdout) as string[];
  } catch {
    return null;
  }
}

function whyNot(error: LaunchFailed, uid: number | null): string {
  if (uid !== null)
    return `${error.message}. The runner needs the capabilities SETUID, SETGID, KILL, CHOWN and DAC_OVERRIDE.`;
  return (
    `${error.message}. Without root, programs are confined by Landlock of Linux 6.12 or newer (its ABI 6, which keeps ` +
    'signals in). Start Tripod on such a kernel, or as root, for instance in a container.'
  );
}
