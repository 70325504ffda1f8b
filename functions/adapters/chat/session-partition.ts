import { createHash } from 'node:crypto';
import type { SessionId } from '../../chat/domain/conversations.ts';
import { chatSessionPartition } from '../dynamodb/keys.ts';

/** The partition of a session; clients choose the ids, so that only a hash of them fits a key. */
export function sessionPartitionOf({ workspaceId, applicationId, caller, sessionId }: SessionId): string {
  const parts = JSON.stringify([applicationId, caller.kind, caller.id, sessionId]);
  return chatSessionPartition(workspaceId, createHash('sha256').update(parts).digest('hex'));
}
