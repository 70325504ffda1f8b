import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { WorkspaceRefused } from './workspace-refused.ts';

/** A copy of everything that a workspace has, made in the background. */
export interface WorkspaceExport {
  readonly exportId: string;
  readonly workspaceId: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** Of the file; null until it is there. */
  readonly bytes: number | null;
}

export interface Exports {
  /** One transaction with the audit entry. */
  create(started: WorkspaceExport, audit: AuditEntry): Promise<void>;
  find(workspaceId: string, exportId: string): Promise<WorkspaceExport | null>;
  /** Of the last days, in no order. */
  recent(workspaceId: string): Promise<readonly WorkspaceExport[]>;
  finish(ended: WorkspaceExport): Promise<void>;
}

/** Records of one kind, in the order in which they are written to one file. */
export interface ExportSource {
  /** Of the file, without its ending. */
  readonly name: string;
  records(workspaceId: string): AsyncIterable<unknown>;
}

/** A ZIP archive on its way to its bucket. */
export interface Archive {
  /** Adds to the newest file, or starts another one. */
  write(file: string, text: string): Promise<void>;
  /** @returns its bytes. */
  store(key: string): Promise<number>;
  /** Discards the written part. */
  discard(): Promise<void>;
}

export interface StartExportPorts extends AuditPorts {
  readonly exports: Exports;
  /** Starts a separate function that makes the export. */
  readonly start: (id: Pick<WorkspaceExport, 'workspaceId' | 'exportId'>) => Promise<void>;
}

export interface MakeExportPorts extends Pick<AuditPorts, 'clock'> {
  readonly exports: Pick<Exports, 'find' | 'finish'>;
  readonly sources: readonly ExportSource[];
  readonly archive: () => Archive;
}

const DAY_MS = 24 * 60 * 60_000;
/** Each reads everything that the workspace has. */
const MAX_EXPORTS_PER_DAY = 3;
/** Longer than the function that makes an export can run. */
const MAX_RUN_MS = 20 * 60_000;
/** The bucket forgets exports after days. */
export const EXPORT_KEPT_DAYS = 3;

export const exportKey = ({ workspaceId, exportId }: Pick<WorkspaceExport, 'workspaceId' | 'exportId'>): string =>
  `${workspaceId}/${exportId}.zip`;

/** @throws WorkspaceRefused 'export_limit' */
export async function startExport(
  workspaceId: string,
  origin: Origin,
  ports: StartExportPorts,
): Promise<WorkspaceExport> {
  const { clock, ids, exports } = ports;
  const nowMs = clock.now();
  const today = (await exports.recent(workspaceId)).filter(({ createdAt }) => Date.parse(createdAt) > nowMs - DAY_MS);
  if (today.length >= MAX_EXPORTS_PER_DAY)
    throw new WorkspaceRefused(
      'export_limit',
      `A workspace can be exported ${MAX_EXPORTS_PER_DAY} times within 24 hours. Use the last export, or come back tomorrow.`,
    );
  const started: WorkspaceExport = {
    exportId: ids.next('exp'),
    workspaceId,
    status: 'running',
    createdAt: new Date(nowMs).toISOString(),
    finishedAt: null,
    bytes: null,
  };
  const act = { workspaceId, action: 'workspace.exported', target: started.exportId } as const;
  await exports.create(started, auditEntry(act, origin, ports));
  await ports.start({ workspaceId, exportId: started.exportId });
  return started;
}

/** One whose function has died counts as failed. @throws WorkspaceRefused 'export_not_found' */
export async function findExport(
  workspaceId: string,
  exportId: string,
  { exports, clock }: Pick<StartExportPorts, 'exports' | 'clock'>,
): Promise<WorkspaceExport> {
  const found = await exports.find(workspaceId, exportId);
  const endsAtMs = found === null ? 0 : Date.parse(found.createdAt) + EXPORT_KEPT_DAYS * DAY_MS;
  if (found === null || endsAtMs <= clock.now())
    throw new WorkspaceRefused(
      'export_not_found',
      `Export not found in this workspace. Exports are kept for ${EXPORT_KEPT_DAYS} days.`,
    );
  const isLost = found.status === 'running' && Date.parse(found.createdAt) + MAX_RUN_MS <= clock.now();
  return isLost ? { ...found, status: 'failed' } : found;
}

/**
 * Writes an export: one file of JSON lines for each kind of record.
 * @throws any error, after marking the export as failed
 */
export async function makeExport(
  { workspaceId, exportId }: Pick<WorkspaceExport, 'workspaceId' | 'exportId'>,
  { exports, sources, archive: newArchive, clock }: MakeExportPorts,
): Promise<void> {
  const started = await exports.find(workspaceId, exportId);
  if (started?.status !== 'running') return;
  const finish = (ended: Pick<WorkspaceExport, 'status' | 'bytes'>) =>
    exports.finish({ ...started, ...ended, finishedAt: new Date(clock.now()).toISOString() });
  const archive = newArchive();
  try {
    for (const { name, records } of sources) {
      const file = `${name}.jsonl`;
      await archive.write(file, '');
      for await (const record of records(workspaceId)) await archive.write(file, `${JSON.stringify(record)}\n`);
    }
    await finish({ status: 'completed', bytes: await archive.store(exportKey(started)) });
  } catch (error) {
    await finish({ status: 'failed', bytes: null });
    throw error;
  } finally {
    await archive.discard();
  }
}
