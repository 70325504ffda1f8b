import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { type DataSettings, keepsInlineImages } from './data-settings.ts';
import { type ErasureOrder, retentionOrder, workspaceOrder } from './erasure.ts';
import type { WorkspaceNotice } from './workspace-mails.ts';
import { WorkspaceRefused } from './workspace-refused.ts';

export interface WorkspaceRecord {
  readonly workspaceId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly data: DataSettings;
  /** Whether members need a second factor to do anything. */
  readonly requiresSecondFactor: boolean;
  /** Null unless its deletion was requested. */
  readonly deletion: Deletion | null;
}

export interface Deletion {
  readonly requestedAt: string;
  /** From then on it is deleted, and cannot be cancelled any more. */
  readonly deletesAt: string;
}

export interface WorkspaceStore {
  /** @returns null when there is no such workspace. */
  describe(workspaceId: string): Promise<WorkspaceRecord | null>;
  /**
   * One transaction.
   * @param order for data that exists already; null: none
   */
  change(
    workspaceId: string,
    change: Pick<WorkspaceRecord, 'name' | 'data' | 'requiresSecondFactor'>,
    order: ErasureOrder | null,
    audit: AuditEntry,
  ): Promise<void>;
  /** One transaction, on the condition that no deletion is requested. @returns false when one is. */
  requestDeletion(
    deletion: Deletion,
    order: ErasureOrder,
    notice: WorkspaceNotice,
    audit: AuditEntry,
  ): Promise<boolean>;
  /** One transaction, on the condition that the deletion has not started. @returns false when it has. */
  cancelDeletion(order: ErasureOrder, notice: WorkspaceNotice, audit: AuditEntry): Promise<boolean>;
}

export interface WorkspacePorts extends AuditPorts {
  readonly workspaces: WorkspaceStore;
}

/** Time in which a deletion can be cancelled. */
export const DELETION_GRACE_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

/** @throws Error when there is none: its members and keys would be gone, too. */
export async function workspaceOf(
  workspaceId: string,
  { workspaces }: Pick<WorkspacePorts, 'workspaces'>,
): Promise<WorkspaceRecord> {
  const found = await workspaces.describe(workspaceId);
  if (found === null) throw new Error(`Workspace ${workspaceId} is not there.`);
  return found;
}

/** Absent members stay unchanged. Settings that keep less also apply to stored data, within a day. */
export async function changeWorkspace(
  workspaceId: string,
  change: Partial<Pick<WorkspaceRecord, 'name' | 'requiresSecondFactor'> & DataSettings>,
  origin: Origin,
  ports: WorkspacePorts,
): Promise<WorkspaceRecord> {
  const before = await workspaceOf(workspaceId, ports);
  const { name = before.name, requiresSecondFactor = before.requiresSecondFactor, ...settings } = change;
  const data = { ...before.data, ...settings };
  const nowMs = ports.clock.now();
  const keepsLess =
    data.retentionDays < before.data.retentionDays || (keepsInlineImages(before.data) && !keepsInlineImages(data));
  const order = keepsLess ? retentionOrder(workspaceId, data, nowMs) : null;
  const details = { name, requiresSecondFactor, ...data };
  const act = { workspaceId, action: 'workspace.changed', target: null, details } as const;
  const changed = { name, requiresSecondFactor, data };
  await ports.workspaces.change(workspaceId, changed, order, auditEntry(act, origin, ports));
  return { ...before, ...changed };
}

/**
 * Requests the deletion of a workspace with all of its data but the ledger. Everything works until then, and the owners get a mail.
 * @param confirmedName the name of the workspace, as a person types it. @throws WorkspaceRefused
 */
export async function requestDeletion(
  workspaceId: string,
  confirmedName: string,
  origin: Origin,
  ports: WorkspacePorts,
): Promise<WorkspaceRecord & { readonly deletion: Deletion }> {
  const workspace = await workspaceOf(workspaceId, ports);
  if (workspace.name !== confirmedName)
    throw new WorkspaceRefused('wrong_name', 'workspace_name: type the name of the workspace exactly as it is.');
  const nowMs = ports.clock.now();
  const deletesAtMs = nowMs + DELETION_GRACE_DAYS * DAY_MS;
  const deletion = { requestedAt: new Date(nowMs).toISOString(), deletesAt: new Date(deletesAtMs).toISOString() };
  const act = { workspaceId, action: 'workspace.deletion_requested', target: null } as const;
  const audit = auditEntry({ ...act, details: { deletesAt: deletion.deletesAt } }, origin, ports);
  const notice = noticeOf('deletion_requested', workspaceId, deletion.deletesAt, ports);
  const order = workspaceOrder(workspaceId, deletesAtMs);
  if (!(await ports.workspaces.requestDeletion(deletion, order, notice, audit)))
    throw new WorkspaceRefused('deletion_requested', 'The deletion of the workspace is requested already.');
  return { ...workspace, deletion };
}

/** @throws WorkspaceRefused */
export async function cancelDeletion(workspaceId: string, origin: Origin, ports: WorkspacePorts): Promise<void> {
  const { deletion } = await workspaceOf(workspaceId, ports);
  if (deletion === null)
    throw new WorkspaceRefused('no_deletion', 'No deletion of the workspace is requested. There is nothing to cancel.');
  const audit = auditEntry({ workspaceId, action: 'workspace.deletion_cancelled', target: null }, origin, ports);
  const notice = noticeOf('deletion_cancelled', workspaceId, deletion.deletesAt, ports);
  const order = workspaceOrder(workspaceId, Date.parse(deletion.deletesAt));
  if (!(await ports.workspaces.cancelDeletion(order, notice, audit)))
    throw new WorkspaceRefused('deletion_begun', 'The deletion of the workspace has started and cannot be cancelled.');
}

function noticeOf(
  kind: WorkspaceNotice['kind'],
  workspaceId: string,
  deletesAt: string,
  { clock, ids }: AuditPorts,
): WorkspaceNotice {
  return { noticeId: ids.next('ntc'), kind, workspaceId, deletesAt, createdAt: new Date(clock.now()).toISOString() };
}
