import { dataSettingsOf, fetchableDays } from '../../../accounts/domain/data-settings.ts';
import { claimKey, stillRunning, whileClaimed } from '../../../shared/idempotency/claim-key.ts';
import type { IdempotencyStore } from '../../../shared/idempotency/idempotency-store.ts';
import type { KeyedCall } from '../../../shared/idempotency/keyed-call.ts';
import type { ExtractPorts } from '../extract.ts';
import { ExtractRefused } from '../extract-refused.ts';
import type { ImageId } from '../image-outcome.ts';
import { decodeInlineImage } from '../inline-image.ts';
import { givenLabels, type Labels } from '../labels.ts';
import { ImageRefused } from '../reading/image-refused.ts';
import { affordableCharge, fundedAccount } from '../settle.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../templates.ts';
import { type StoredImages, uploadKey } from '../uploads.ts';
import { type ImagePlace, MAX_IMAGES } from './job.ts';
import type { ImageQueue, Jobs, OpenJobs } from './job-ports.ts';

export interface AcceptPorts extends Pick<ExtractPorts, 'accounts' | 'clock' | 'ids'> {
  readonly idempotency: IdempotencyStore;
  readonly jobs: Pick<Jobs, 'create'>;
  readonly openJobs: Pick<OpenJobs, 'markSent'>;
  readonly queue: ImageQueue;
  readonly uploads: Pick<StoredImages, 'put'>;
  /** Called when messages of a stored job could not be sent: the reconciler will send them. */
  readonly onUnsent: (jobId: string, error: unknown) => void;
}

export interface BatchCommand {
  readonly workspaceId: string;
  /** API key of the call; absent or null: none. */
  readonly keyId?: string | null;
  readonly imageUrls: readonly string[];
  /** Base64, bare or as data: URLs. */
  readonly images: readonly string[];
  /** By index, one for each image; absent: none. */
  readonly labels?: readonly Labels[] | undefined;
  /** Page of each image's file, from 1, by index; absent: the first. */
  readonly pages?: readonly number[] | undefined;
  readonly templateId?: string | undefined;
  readonly serviceDate?: string | undefined;
  readonly idempotency: KeyedCall | null;
  /** The address to poll a job at. */
  readonly pollUrl: (jobId: string) => string;
}

export interface AcceptedJob {
  readonly jobId: string;
  readonly status: 'queued';
  readonly pollUrl: string;
}

/**
 * Accepts a batch: validates it whole, stores the inline images for the workers, stores the job, sends one message per
 * image. A failed check here refuses the whole batch; an error of a single image is reported in the job.
 * @throws ExtractRefused, ImageRefused('image_too_large'), IdempotencyRefused
 */
export async function acceptBatch(
  command: BatchCommand,
  ports: AcceptPorts,
): Promise<{ readonly job: AcceptedJob; readonly replayed: boolean }> {
  const { workspaceId, keyId = null, imageUrls, templateId = DEFAULT_TEMPLATE_ID, serviceDate = null } = command;
  knownTemplate(templateId);
  const total = imageUrls.length + command.images.length;
  if (total < 1 || total > MAX_IMAGES)
    throw invalid(`A batch holds 1 to ${MAX_IMAGES} images in imageUrls and images together; this one has ${total}.`);
  const { pages = [] } = command;
  const labels = command.labels?.map(givenLabels) ?? [];
  for (const [field, { length }] of Object.entries({ labels, pages }))
    if (length > 0 && length !== total)
      throw invalid(`${field} has ${length} entries for ${total} images. Send one for each image, or none.`, field);
  const inline = command.images.map(decoded);

  const jobId = ports.ids.next('job');
  const accountRead = fundedAccount(workspaceId, { keyId }, ports);
  accountRead.catch(() => undefined);
  const claimed = await claimKey(workspaceId, command.idempotency, jobId, ports);
  if ('replay' in claimed) return { job: JSON.parse(claimed.replay) as AcceptedJob, replayed: true };
  const { claim } = claimed;
  return whileClaimed(claim, ports.idempotency, async () => {
    // Refuses a workspace that can pay for no image at once, instead of failing a hundred images.
    const account = await accountRead;
    affordableCharge(account, { keyId }, ports.clock.now(), true);
    const job: AcceptedJob = { jobId, status: 'queued', pollUrl: command.pollUrl(jobId) };
    const uploaded = await Promise.all(inline.map((bytes, i) => keep(bytes, workspaceId, `${jobId}-${i}`, ports)));
    const places = [...imageUrls.map((url): ImagePlace => ({ kind: 'url', url })), ...uploaded];
    const nowMs = ports.clock.now();
    const head = {
      jobId,
      workspaceId,
      templateId,
      serviceDate,
      total,
      createdAt: new Date(nowMs).toISOString(),
      expiresAt: new Date(nowMs + fetchableDays(dataSettingsOf(account)) * 24 * 60 * 60_000).toISOString(),
    };
    const completion = claim && { claim, response: JSON.stringify(job) };
    if (!(await ports.jobs.create({ head, places, labels, pages, queuedAtMs: nowMs, keyId }, completion)))
      throw stillRunning(1000);
    const images = places.map((_, index): ImageId => ({ workspaceId, jobId, index }));
    try {
      await ports.queue.send(images);
      await ports.openJobs.markSent(job);
    } catch (error) {
      // The job is stored, so the call succeeds: the reconciler sends the unsent messages.
      ports.onUnsent(jobId, error);
    }
    return { job, replayed: false };
  });
}

async function keep(
  bytes: Uint8Array,
  workspaceId: string,
  name: string,
  { uploads }: AcceptPorts,
): Promise<ImagePlace> {
  const key = uploadKey(workspaceId, name);
  await uploads.put(key, bytes);
  return { kind: 'upload', key };
}

function decoded(text: string, index: number): Uint8Array {
  try {
    return decodeInlineImage(text);
  } catch (error) {
    if (error instanceof ImageRefused)
      throw new ImageRefused(error.refusal, `images.${index}: ${error.message}`, { cause: error });
    if (!(error instanceof ExtractRefused)) throw error;
    throw invalid(error.message.replace(/^image\b/, `images.${index}`), `images.${index}`);
  }
}

function invalid(message: string, ...fields: readonly string[]): ExtractRefused {
  const named = fields.length > 0 ? fields : ['imageUrls', 'images'];
  return new ExtractRefused('invalid_request', message, {
    fields: Object.fromEntries(named.map((field) => [field, message])),
  });
}
