import type { Execution, ExecutionId } from '../../sandbox/domain/execution.ts';
import type { FoundExecution } from '../../sandbox/domain/execution-ports.ts';
import { epochSeconds } from '../dynamodb/keys.ts';
import { FENCE } from '../dynamodb/leases.ts';
import type { Kept } from './execution-contents.ts';

/** An execution as it is stored; attributes without a value are left out. */
export interface ExecutionItem
  extends Omit<Execution, 'sessionId' | 'keyId' | 'startedAt' | 'completedAt' | 'exitCode' | 'seconds'> {
  readonly sessionId?: string;
  readonly keyId?: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly exitCode?: number;
  readonly seconds?: number;
  /** Removed at the end. */
  readonly program?: Kept;
  /** Set at the end. */
  readonly output?: Kept;
  /** Fencing token of the run that started it. */
  readonly [FENCE]?: string;
  readonly isCancelled?: true;
  readonly leaseUntilMs: number;
  readonly queuedAtMs: number;
  readonly requeues: number;
  readonly expiresAt: number;
}

/** DynamoDB deletes expired items late. */
export function isExpired({ expiresAt }: Pick<ExecutionItem, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt <= epochSeconds(nowMs);
}

export function executionOf(item: ExecutionItem): Execution {
  const { workspaceId, executionId, language, status, createdAt } = item;
  const {
    sessionId = null,
    keyId = null,
    startedAt = null,
    completedAt = null,
    exitCode = null,
    seconds = null,
  } = item;
  return {
    ...{ workspaceId, executionId, language, sessionId, keyId, status },
    ...{ createdAt, startedAt, completedAt, exitCode, seconds },
  };
}

export function foundOf(item: ExecutionItem): FoundExecution {
  const { leaseUntilMs, queuedAtMs, requeues, isCancelled = false } = item;
  return { execution: executionOf(item), leaseUntilMs, isCancelled, queuedAtMs, requeues };
}

/** Other texts are not keys either: DynamoDB refuses keys of more than a kilobyte. */
export function isExecutionId({ executionId }: Pick<ExecutionId, 'executionId'>): boolean {
  return /^exec_[0-9A-Z]{26}$/.test(executionId);
}
