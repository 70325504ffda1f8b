import type { Verdict } from '../../../shared/leases/lease.ts';
import { runLeased } from '../../../shared/leases/run-leased.ts';
import { countFreeCall, type ExtractPorts, forgetImage, fundsOf, readAndJudge } from '../extract.ts';
import { ExtractRefused } from '../extract-refused.ts';
import { FreePagesUsedUp } from '../free-pages.ts';
import type { ImageError, ImageId, ImageLease, ImageOutcome } from '../image-outcome.ts';
import { ImageFetchFailed } from '../image-source.ts';
import { ImageRefused } from '../reading/image-refused.ts';
import { settle } from '../settle.ts';
import { knownTemplate } from '../templates.ts';
import { givenUpOutcome } from './job.ts';
import type { AcquiredImage, ImageLeases } from './job-ports.ts';

export interface ProcessPorts extends Omit<ExtractPorts, 'idempotency' | 'extractions'> {
  readonly leases: ImageLeases;
  /** Called when an image is failed because its workers crashed too many times. */
  readonly onGivenUp: (image: ImageId) => Promise<void>;
}

/** After this number of runs that never ended, by time-outs or lack of memory, the image itself crashes its workers. */
const MAX_ATTEMPTS = 4;

/**
 * Processes one image of a batch, for one delivery of its message. Up to the end nothing is changed but the lease. The
 * charge, its ledger entry, the extraction and the image's record are written in one transaction, on the condition that
 * this run still holds the lease: under any redelivery the image is charged at most once.
 * @param deadlineMs epoch time at which this run ends for certain; its lease expires then.
 * @throws an error that another delivery may get over; the image is then free for it.
 */
export async function processImage(id: ImageId, deadlineMs: number, ports: ProcessPorts): Promise<Verdict> {
  const { leases, ids, clock } = ports;
  const lease: ImageLease = { ...id, fence: ids.next('run') };
  return runLeased<AcquiredImage, ImageOutcome>({
    acquire: () => leases.acquire(lease, clock.now(), deadlineMs),
    async run(acquired) {
      if (acquired.image.attempts > MAX_ATTEMPTS) {
        if (await leases.end(lease, givenUpOutcome(clock.now()))) await ports.onGivenUp(id);
      } else await extractImage(lease, acquired, deadlineMs, ports);
      return { kind: 'recorded' };
    },
    endingOf(error) {
      const reason = finalReason(error);
      return reason && { kind: 'failed', finishedAt: new Date(clock.now()).toISOString(), error: reason };
    },
    end: (outcome) => leases.end(lease, outcome),
    release: () => leases.release(lease),
  });
}

async function extractImage(
  lease: ImageLease,
  { image, templateId, serviceDate, keyId }: AcquiredImage,
  deadlineMs: number,
  ports: ProcessPorts,
): Promise<void> {
  const { workspaceId } = lease;
  const payer = { keyId, applicationId: null };
  const account = await fundsOf(workspaceId, payer, ports);
  const { place } = image;
  try {
    await readAndSettle();
  } catch (error) {
    if (place.kind === 'upload' && finalReason(error) !== null) await forgetImage(place.key, account, ports);
    throw error;
  }

  async function readAndSettle(): Promise<void> {
    const { bytes, uploadKey } =
      place.kind === 'upload'
        ? { bytes: await ports.uploads.get(place.key), uploadKey: place.key }
        : await ports.images.fetch(place.url, workspaceId);
    // No deadline for the reader: a batch waits behind the single calls of its workspace.
    const options = { workspaceId, serviceDate: serviceDate ?? undefined, page: image.page };
    const { page } = await readAndJudge(bytes, knownTemplate(templateId), options, ports);
    const extractionId = ports.ids.next('ext');
    const read = { extractionId, page, seen: account, lease, deadlineMs, ...payer, uploadKey, labels: image.labels };
    const result = await settle(read, ports);
    await forgetImage(uploadKey, account, ports);
    await countFreeCall(result, null, ports);
  }
}

/** The error of the image itself, or of paying for it; null for one that another run may get over. */
function finalReason(error: unknown): ImageError | null {
  if (error instanceof ImageRefused) return { code: error.refusal, message: error.message };
  if (error instanceof ImageFetchFailed) return { code: 'image_fetch_failed', message: error.message };
  if (error instanceof ExtractRefused) return { code: error.refusal, message: error.message };
  if (error instanceof FreePagesUsedUp) return { code: 'free_pages_used_up', message: error.message };
  return null;
}
