import { createHash } from 'node:crypto';
import type { RunSession } from '../../workflows/domain/run/erase-run.ts';
import type { RunHead } from '../../workflows/domain/run/run.ts';
import { runWithinKey, sessionRunKey } from '../dynamodb/keys.ts';
import type { Key } from '../dynamodb/table.ts';

/** Where a run is listed with the others of its group: those within one run, or those of one session; null: nowhere. */
export function groupKey({ workspaceId, runId, trigger }: RunHead): Key | null {
  const { root, sessionId, caller, applicationId } = trigger;
  if (root !== undefined) return runWithinKey(workspaceId, root, runId);
  if (sessionId === null) return null;
  const hash = sessionHash({ applicationId: applicationId ?? '', caller, sessionId });
  return sessionRunKey(workspaceId, hash, runId);
}

export function sessionHash({ applicationId, caller, sessionId }: Omit<RunSession, 'workspaceId'>): string {
  return createHash('sha256')
    .update(JSON.stringify([applicationId, caller.kind, caller.id, sessionId]))
    .digest('hex');
}
