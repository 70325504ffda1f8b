import { accountOf } from '../../../accounts/domain/account.ts';
import { type ExtractPorts, readAndJudge } from '../extract.ts';
import { ExtractRefused } from '../extract-refused.ts';
import { ImageFetchFailed } from '../image-source.ts';
import { ImageRefused } from '../reading/image-refused.ts';
import { affordableCharge, ClaimLost, settle } from '../settle.ts';
import { knownTemplate } from '../templates.ts';
import { type BatchImage, givenUpOutcome, type ImageError, type ImageId, type ImageLease } from './job.ts';
import type { ImageStore, Jobs } from './job-ports.ts';

export interface ProcessPorts extends Omit<ExtractPorts, 'idempotency'> {
  readonly jobs: Jobs;
  readonly store: Pick<ImageStore, 'get'>;
  /** Hears of an image that ended since it was never heard of again too often. */
  readonly onGivenUp: (image: ImageId) => Promise<void>;
}

/** After so many runs that never ended, in time-outs and lack of memory, the image itself is what kills its workers. */
const MOST_ATTEMPTS = 4;

/**
 * Works on one image of a batch, for one delivery of its message. Up to the end nothing is changed but the lease. The
 * charge, its ledger entry, the extraction and the image's record become true in one transaction, on the condition that
 * this run still owns the image: under any redelivery it is charged at most once.
 * @param untilMs epoch time at which this run ends for certain; its lease ends then.
 * @returns 'done' when the message is of no more use, 'again' when somebody else is at work on the image.
 * @throws what another delivery may get over; the image is then free for it.
 */
export async function processImage(id: ImageId, untilMs: number, ports: ProcessPorts): Promise<'done' | 'again'> {
  const lease: ImageLease = { ...id, owner: ports.ids.next('run') };
  const taken = await ports.jobs.take(lease, ports.clock.now(), untilMs);
  if (taken.kind === 'busy') return 'again';
  if (taken.kind !== 'taken') return 'done';
  if (taken.image.attempts > MOST_ATTEMPTS) {
    if (await ports.jobs.fail(lease, givenUpOutcome(ports.clock.now()))) await ports.onGivenUp(id);
    return 'done';
  }
  try {
    await extractImage(lease, taken, untilMs, ports);
  } catch (error) {
    // Another run has taken over, or has ended the image.
    if (error instanceof ClaimLost) return 'done';
    const reason = finalReason(error);
    if (reason === null) {
      // When this fails too, the lease ends by itself; the first error is what somebody must hear of.
      await ports.jobs.giveBack(lease).catch(() => undefined);
      throw error;
    }
    await ports.jobs.fail(lease, {
      kind: 'failed',
      finishedAt: new Date(ports.clock.now()).toISOString(),
      error: reason,
    });
  }
  return 'done';
}

async function extractImage(
  lease: ImageLease,
  { image, templateId }: { readonly image: BatchImage; readonly templateId: string },
  untilMs: number,
  ports: ProcessPorts,
): Promise<void> {
  const { workspaceId } = lease;
  const account = await accountOf(workspaceId, ports.accounts);
  affordableCharge(account, true);
  const { place } = image;
  const bytes =
    place.kind === 'upload' ? await ports.store.get(place.key) : await ports.images.fetch(place.url, workspaceId);
  // No deadline for the reader: a batch waits behind the single calls of its workspace.
  const { page } = await readAndJudge(bytes, knownTemplate(templateId), { workspaceId }, ports);
  await settle(ports.ids.next('ext'), page, account, lease, untilMs, ports);
}

/** What is wrong with the image itself, or with paying for it; null for what another try may get over. */
function finalReason(error: unknown): ImageError | null {
  if (error instanceof ImageRefused) return { code: error.refusal, message: error.message };
  if (error instanceof ImageFetchFailed) return { code: 'image_fetch_failed', message: error.message };
  if (error instanceof ExtractRefused && error.refusal !== 'try_again')
    return { code: error.refusal, message: error.message };
  return null;
}
