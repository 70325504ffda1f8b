import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { runsOf } from './execute.ts';
import { type Execution, type ExecutionRequest, newExecution } from './execution.ts';
import type { ExecutionQueue, Executions } from './execution-ports.ts';
import type { Run } from './run.ts';
import type { RunCharges } from './run-charges.ts';
import type { SandboxPool } from './sandbox-pool.ts';

export interface SubmitPorts {
  readonly pool: Pick<SandboxPool, 'languages'>;
  /** Null: programs are free. */
  readonly charges: Pick<RunCharges, 'require'> | null;
  readonly executions: Pick<Executions, 'create'>;
  readonly queue: ExecutionQueue;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Called when the message of an execution could not be sent: the reconciler will send it. */
  readonly onUnsent: (executionId: string, error: unknown) => void;
}

/**
 * Accepts a program to be run in the background. Its price is held when it starts.
 * @throws ExecutionRefused, FundsRefused, SandboxUnavailable; nothing is stored then
 */
export async function submit(
  { workspaceId, keyId = null }: { readonly workspaceId: string; readonly keyId?: string | null },
  request: ExecutionRequest,
  ports: SubmitPorts,
): Promise<Execution> {
  const [program] = (await runsOf([request], ports.pool)) as [Run];
  await ports.charges?.require({ workspaceId, keyId }, [program]);
  const id = { workspaceId, executionId: ports.ids.next('exec') };
  const nowMs = ports.clock.now();
  const execution = newExecution(id, { ...request, keyId }, 'pending', nowMs);
  await ports.executions.create({ execution, program, queuedAtMs: nowMs });
  // It is stored, so the call succeeds.
  await ports.queue.send([id]).catch((error: unknown) => ports.onUnsent(id.executionId, error));
  return execution;
}
