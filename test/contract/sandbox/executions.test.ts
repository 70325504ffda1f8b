import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DynamoExecutionLeases } from '../../../functions/adapters/sandbox/dynamo-execution-leases.ts';
import { DynamoExecutions } from '../../../functions/adapters/sandbox/dynamo-executions.ts';
import { DynamoOpenExecutions } from '../../../functions/adapters/sandbox/dynamo-open-executions.ts';
import { DynamoSessions } from '../../../functions/adapters/sandbox/dynamo-sessions.ts';
import { ExecutionContents } from '../../../functions/adapters/sandbox/execution-contents.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { failure, newExecution } from '../../../functions/sandbox/domain/execution.ts';
import type { ExecutionLease as Lease } from '../../../functions/sandbox/domain/execution-ports.ts';
import type { Run } from '../../../functions/sandbox/domain/run.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { program } from '../../helpers/execution-flow.ts';
import { memoryBucket } from '../../helpers/fakes.ts';

const KIB = 1024;
const DAY_SECONDS = 24 * 60 * 60;
const LEASE_MS = 330_000;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

function openTable() {
  const clock = testClock();
  const { stored, large } = memoryBucket();
  const contents = new ExecutionContents(large);
  const executions = new DynamoExecutions(dynamo.client, TABLES.executions, contents, clock);
  const leases = new DynamoExecutionLeases(dynamo.client, TABLES.executions, contents, TABLES.usage);
  const openExecutions = new DynamoOpenExecutions(dynamo.client, TABLES.executions);
  const sessions = new DynamoSessions(dynamo.client, TABLES.executions, clock);
  const workspaceId = `ws_${randomBytes(8).toString('hex')}`;
  return { clock, stored, executions, leases, openExecutions, sessions, workspaceId };
}

let table: ReturnType<typeof openTable>;
beforeEach(() => {
  table = openTable();
});

const { sessionId: _, ...rest } = program();
const run: Run = { ...rest, language: 'python' };
const ended = (stdout: string) => ({ status: 'completed', exitCode: 0, seconds: 1.5, stdout, stderr: '' }) as const;

/** Stores a pending one. */
async function created(sessionId: string | null = null, stdin = ''): Promise<Lease> {
  const { executions, workspaceId, clock } = table;
  const id = { workspaceId, executionId: ulidIds.next('exec') };
  const execution = newExecution(id, { language: 'python', sessionId }, 'pending', clock.now());
  await executions.create({ execution, program: { ...run, stdin }, queuedAtMs: clock.now() });
  return { ...id, fence: ulidIds.next('run') };
}

it('is stored though other writes are at the same items', async () => {
  dynamo.database.conflictNextTransactions(2);
  const { workspaceId, executionId } = await created();
  expect(await table.executions.find({ workspaceId, executionId })).toMatchObject({ execution: { status: 'pending' } });
});

async function started(sessionId: string | null = null): Promise<Lease> {
  const lease = await created(sessionId);
  expect(await table.leases.start(lease, table.clock.now(), table.clock.now() + LEASE_MS)).toBe(true);
  return lease;
}

const end = (lease: Lease, stdout = '') => table.leases.end(lease, ended(stdout), table.clock.now(), null);

describe('an execution', () => {
  it.each([0, KIB, 9 * KIB, 4 * KIB * KIB])(
    'keeps a program with %d bytes of input, and as large an output',
    async (bytes) => {
      const text = 'é"\n\u0000'.repeat(bytes / 5).slice(0, bytes);
      const lease = await created(null, text);
      const { executions, stored, clock, leases } = table;
      expect((await executions.findWithProgram(lease))!.program).toEqual({ ...run, stdin: text });
      await leases.start(lease, clock.now(), clock.now() + LEASE_MS);
      expect(await end(lease, text)).toBe(true);
      expect((await executions.findWithOutput(lease))!.output).toEqual({ stdout: text, stderr: '' });
      expect(stored.size).toBe(bytes > 8 * KIB ? 2 : 0);
      await executions.remove({ ...lease, sessionId: null });
      expect(stored.size).toBe(0);
    },
  );

  it('an execution goes from pending to running to completed, with its times', async () => {
    const { executions, clock, leases } = table;
    const lease = await created('s');
    const createdAt = new Date(clock.now()).toISOString();
    const common = { executionId: lease.executionId, language: 'python', sessionId: 's', createdAt };
    const before = { startedAt: null, completedAt: null, exitCode: null, seconds: null };
    expect((await executions.find(lease))!.execution).toMatchObject({ ...common, ...before, status: 'pending' });
    clock.advance(1);
    const startedAt = new Date(clock.now()).toISOString();
    await leases.start(lease, clock.now(), clock.now() + LEASE_MS);
    expect(await executions.find(lease)).toMatchObject({
      execution: { ...common, ...before, startedAt, status: 'running' },
      leaseUntilMs: clock.now() + LEASE_MS,
    });
    clock.advance(1);
    await end(lease);
    const completedAt = new Date(clock.now()).toISOString();
    const after = { startedAt, completedAt, exitCode: 0, seconds: 1.5 };
    expect((await executions.find(lease))!.execution).toMatchObject({ ...common, ...after, status: 'completed' });
  });

  it('is started by one of many', async () => {
    const lease = await created();
    const { clock, leases } = table;
    const owners = Array.from({ length: 10 }, () => ({ ...lease, fence: ulidIds.next('run') }));
    const starts = owners.map((each) => leases.start(each, clock.now(), clock.now() + LEASE_MS));
    expect((await Promise.all(starts)).filter(Boolean)).toHaveLength(1);
  });

  it('only its owner starts and ends an execution, even if responses are lost', async () => {
    const lease = await started();
    const { executions, clock, leases } = table;
    const other = { ...lease, fence: 'run_other' };
    expect(await leases.start(lease, clock.now(), clock.now() + LEASE_MS)).toBe(true);
    expect(await leases.isWanted(lease)).toBe(true);
    expect(await leases.isWanted(other)).toBe(false);
    expect(await end(other)).toBe(false);
    for (const _ of ['once', 'twice']) expect(await end(lease, 'x'.repeat(9 * KIB))).toBe(true);
    expect((await executions.findWithOutput(lease))!.output!.stdout).toHaveLength(9 * KIB);
    expect(await leases.start(lease, clock.now(), clock.now() + LEASE_MS)).toBe(false);
    expect(await leases.isWanted(lease)).toBe(false);
  });

  it('is pending again when its owner puts it back, and not when another does', async () => {
    const lease = await started();
    const { executions, leases } = table;
    await leases.release({ ...lease, fence: 'run_other' });
    expect((await executions.find(lease))!.execution.status).toBe('running');
    await leases.release(lease);
    expect(await executions.find(lease)).toMatchObject({
      execution: { status: 'pending', startedAt: null },
      leaseUntilMs: 0,
    });
  });

  it('that is abandoned leaves its owner nothing to end, and no output behind', async () => {
    const lease = await started();
    const { executions, clock, stored, leases } = table;
    const seen = (await executions.find(lease))!;
    expect(await leases.abandon({ ...seen, leaseUntilMs: 1 }, failure('no'), clock.now())).toBe(false);
    expect(await leases.abandon(seen, failure('gone'), clock.now())).toBe(true);
    expect(await end(lease, 'x'.repeat(9 * KIB))).toBe(false);
    expect(stored.size).toBe(0);
    expect(await executions.findWithOutput(lease)).toMatchObject({
      execution: { status: 'failed', exitCode: -1 },
      output: { stdout: '', stderr: 'gone' },
    });
  });

  it('that is cancelled is not wanted, and not started again; only a running one can be', async () => {
    const lease = await created();
    const { executions, clock, leases } = table;
    expect(await leases.cancel(lease)).toBe(false);
    await leases.start(lease, clock.now(), clock.now() + LEASE_MS);
    expect(await leases.cancel(lease)).toBe(true);
    expect(await leases.isWanted(lease)).toBe(false);
    await leases.release(lease);
    expect(await executions.find(lease)).toMatchObject({ execution: { status: 'pending' }, isCancelled: true });
    expect(await leases.start({ ...lease, fence: 'run_other' }, clock.now(), clock.now() + LEASE_MS)).toBe(false);
  });

  it('an execution is absent for another workspace, for an invalid id, and 24 hours after its end', async () => {
    const lease = await started();
    const { executions, clock } = table;
    expect(await executions.find({ ...lease, workspaceId: 'ws_other' })).toBeNull();
    for (const executionId of ['', 'exec_', 'x'.repeat(3000), `${lease.executionId}#`])
      expect(await executions.find({ ...lease, executionId })).toBeNull();
    clock.advance(DAY_SECONDS - 10);
    await end(lease);
    clock.advance(DAY_SECONDS - 1);
    expect(await executions.findWithOutput(lease)).not.toBeNull();
    clock.advance(1);
    expect(await executions.findWithOutput(lease)).toBeNull();
  });

  it('is on the list of open ones until it has ended', async () => {
    const { openExecutions, leases } = table;
    const isOpen = async ({ executionId }: Lease) => {
      for await (const id of openExecutions.list()) if (id.executionId === executionId) return true;
      return false;
    };
    const lease = await created();
    expect(await isOpen(lease)).toBe(true);
    await leases.start(lease, table.clock.now(), table.clock.now() + LEASE_MS);
    expect(await isOpen(lease)).toBe(true);
    await end(lease);
    expect(await isOpen(lease)).toBe(false);
  });
});

describe('a session', () => {
  const listed = async (sessionId: string, limit = 100, before: string | null = null) =>
    (await table.sessions.executions({ workspaceId: table.workspaceId, sessionId }, limit, before)).map(
      ({ executionId }) => executionId,
    );

  it('a workspace lists its executions, newest first, and no others', async () => {
    const mine: string[] = [];
    for (let count = 0; count < 5; count++) mine.unshift((await created('s')).executionId);
    await created('other');
    await created();
    expect(await listed('s')).toEqual(mine);
    expect(await listed('s', 2)).toEqual(mine.slice(0, 2));
    expect(await listed('s', 2, mine[1])).toEqual(mine.slice(2, 4));
    expect(await listed('s', 2, mine[4])).toEqual([]);
    expect(await table.sessions.executions({ workspaceId: 'ws_other', sessionId: 's' }, 10, null)).toEqual([]);
  });

  it('fills a page over executions that have expired or are gone', async () => {
    const old = await started('s');
    await end(old);
    table.clock.advance(DAY_SECONDS);
    const [first, second] = [await created('s'), await created('s')];
    expect(await listed('s', 1, second.executionId)).toEqual([first.executionId]);
    expect(await listed('s')).toEqual([second.executionId, first.executionId]);
    await table.executions.remove({ ...first, sessionId: null });
    expect(await listed('s')).toEqual([second.executionId]);
    expect(await listed('s', 1, second.executionId)).toEqual([]);
  });

  it.each(['a/b c', '#', '한국어'.repeat(40), '\u0000'])('may have the name %j', async (sessionId) => {
    const { executionId } = await created(sessionId);
    expect(await listed(sessionId)).toEqual([executionId]);
  });
});
