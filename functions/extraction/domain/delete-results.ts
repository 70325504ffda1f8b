import {
  type AuditAction,
  type AuditPorts,
  type AuditTrail,
  auditEntry,
  type Origin,
} from '../../accounts/domain/audit.ts';
import type { ImageLeases, Jobs, OpenJobs } from './batch/job-ports.ts';
import type { Extractions } from './stored-extraction.ts';
import type { StoredImages } from './uploads.ts';

export interface DeletePorts extends AuditPorts {
  readonly extractions: Pick<Extractions, 'find' | 'remove'>;
  readonly jobs: Pick<Jobs, 'find' | 'remove'>;
  readonly leases: Pick<ImageLeases, 'cancel' | 'forget'>;
  readonly openJobs: Pick<OpenJobs, 'close'>;
  readonly uploads: Pick<StoredImages, 'remove'>;
  readonly audit: Pick<AuditTrail, 'record'>;
}

/**
 * Deletes an extraction, its image, and what the job of a batch knows of it. The extraction itself goes last: after a crash it is
 * still found, and can be deleted again. @returns false when there is none.
 */
export async function deleteExtraction(
  workspaceId: string,
  extractionId: string,
  origin: Origin,
  ports: DeletePorts,
): Promise<boolean> {
  if (!(await removeExtraction(workspaceId, extractionId, ports))) return false;
  await record('extraction.deleted', workspaceId, extractionId, origin, ports);
  return true;
}

/** Deletes the picture of an extraction, which stays. @returns false when there is no such extraction, or it has no picture of ours. */
export async function deletePicture(
  workspaceId: string,
  extractionId: string,
  origin: Origin,
  ports: DeletePorts,
): Promise<boolean> {
  const found = await ports.extractions.find(workspaceId, extractionId);
  const uploadKey = found?.origin?.uploadKey ?? null;
  if (uploadKey === null) return false;
  await ports.uploads.remove([uploadKey]);
  await record('picture.deleted', workspaceId, extractionId, origin, ports);
  return true;
}

/** Deletes a job with its images, extractions and what still waits. Nothing of it is charged afterwards. @returns false when there is none. */
export async function deleteJob(
  workspaceId: string,
  jobId: string,
  origin: Origin,
  ports: DeletePorts,
): Promise<boolean> {
  const { jobs, leases, uploads, openJobs } = ports;
  const seen = await jobs.find(workspaceId, jobId);
  if (seen === null) return false;
  // A run that is under way finds its image gone at the charge, and settles nothing.
  await Promise.all(seen.images.filter(({ outcome }) => outcome === null).map((image) => leases.cancel(image)));
  // Those that ended meanwhile are still there.
  const ended = (await jobs.find(workspaceId, jobId))?.images ?? [];
  for (const { outcome } of ended)
    if (outcome?.kind === 'completed') await removeExtraction(workspaceId, outcome.extractionId, ports);
  await uploads.remove(seen.images.flatMap(({ place }) => (place.kind === 'upload' ? [place.key] : [])));
  await openJobs.close({ workspaceId, jobId });
  await jobs.remove(seen);
  await record('job.deleted', workspaceId, jobId, origin, ports);
  return true;
}

async function removeExtraction(
  workspaceId: string,
  extractionId: string,
  { extractions, leases, uploads }: DeletePorts,
): Promise<boolean> {
  const found = await extractions.find(workspaceId, extractionId);
  if (found === null) return false;
  const { uploadKey = null, image = null } = found.origin ?? {};
  if (uploadKey !== null) await uploads.remove([uploadKey]);
  if (image !== null) await leases.forget(image);
  await extractions.remove(workspaceId, extractionId);
  return true;
}

async function record(
  action: AuditAction,
  workspaceId: string,
  target: string,
  origin: Origin,
  ports: DeletePorts,
): Promise<void> {
  await ports.audit.record(auditEntry({ workspaceId, action, target }, origin, ports));
}
