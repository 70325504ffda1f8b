import type { TableId } from '../../functions/shared/resources.ts';

export type Copying = 'nothing' | 'missing' | 'changed';

/** The wish of the operator. */
export interface RestoreRequest {
  readonly table: TableId;
  readonly atMs: number;
  /** Items that go back into the running table: none, those that it lacks, or those that differ as well. */
  readonly copying: Copying;
  /** Only items of this workspace; null: of all. */
  readonly workspaceId: string | null;
}

/** The running table, as AWS describes it. */
export interface RunningTable {
  readonly name: string;
  /** The times that point-in-time recovery can go back to; null where it is off. */
  readonly window: { readonly fromMs: number; readonly toMs: number } | null;
}

export interface RestorePlan {
  readonly source: string;
  readonly target: string;
  readonly atMs: number;
  /** Sentences for the operator, who agrees to them. */
  readonly steps: readonly string[];
}

/** Items as DynamoDB's document client has them. */
export type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

/** A restore that must not start; the message says what to do instead. */
export class CannotRestore extends Error {}

/** @throws CannotRestore */
export function planRestore(request: RestoreRequest, { name, window }: RunningTable): RestorePlan {
  const { table, atMs, copying, workspaceId } = request;
  const at = new Date(atMs).toISOString();
  if (window === null)
    throw new CannotRestore(`Point-in-time recovery of ${name} is off: there is nothing to restore.`);
  if (atMs < window.fromMs || atMs > window.toMs)
    throw new CannotRestore(
      `${name} can be restored from ${new Date(window.fromMs).toISOString()} to ${new Date(window.toMs).toISOString()}; ${at} is outside.`,
    );
  if (table === 'accounts' && copying === 'changed' && workspaceId === null)
    throw new CannotRestore(
      'Earlier balances of all workspaces would undo payments and charges since then. Name one with --workspace, or use --copy missing.',
    );
  const target = `${name.slice(0, 200)}-at-${at.replaceAll(/[^0-9]/g, '').slice(0, 14)}`;
  const whose = workspaceId === null ? 'all workspaces' : `workspace ${workspaceId}`;
  const copy = {
    nothing: [`Nothing is copied: ${name} stays as it is.`],
    missing: [`Copy items of ${whose} that ${name} lacks. No item of ${name} changes.`],
    changed: [
      `Copy items of ${whose} that ${name} lacks or has otherwise. Changes of these items since ${at} are lost.`,
      ...(table === 'accounts' ? ['Stop calls of this workspace first: a charge meanwhile would be lost.'] : []),
    ],
  };
  return {
    source: name,
    target,
    atMs,
    steps: [
      `Restore ${name} as of ${at} into the new table ${target}. It costs as much as a backup and is not deleted by this command.`,
      ...copy[copying],
    ],
  };
}

/** Whether an item of the restored table is copied: of the workspace, and not expired by now. */
export function isCopied({ pk, expiresAt }: Item, { workspaceId }: Pick<RestoreRequest, 'workspaceId'>, nowMs: number) {
  if (typeof expiresAt === 'number' && expiresAt * 1000 <= nowMs) return false;
  return workspaceId === null || pk.split('#').includes(workspaceId);
}
