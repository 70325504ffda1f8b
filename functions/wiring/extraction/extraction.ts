import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { DynamoAudit } from '../../adapters/accounts/dynamo-audit.ts';
import type { threadedOwnList } from '../../adapters/drug-master/own-list-thread.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoExtractionLists } from '../../adapters/extraction/dynamo-extraction-lists.ts';
import { DynamoExtractions } from '../../adapters/extraction/dynamo-extractions.ts';
import { DynamoImageLeases } from '../../adapters/extraction/dynamo-image-leases.ts';
import { DynamoJobs } from '../../adapters/extraction/dynamo-jobs.ts';
import { DynamoOpenJobs } from '../../adapters/extraction/dynamo-open-jobs.ts';
import { DynamoReviews } from '../../adapters/extraction/dynamo-reviews.ts';
import { DynamoSettlementLine } from '../../adapters/extraction/dynamo-settlement-line.ts';
import { DynamoSettlements } from '../../adapters/extraction/dynamo-settlements.ts';
import { LimitedFreePages, UNLIMITED_FREE_PAGES } from '../../adapters/extraction/limited-free-pages.ts';
import type { drawnPage as drawPage, thumbnailOf as drawThumbnail } from '../../adapters/extraction/page-drawing.ts';
import { readingMetrics } from '../../adapters/extraction/reading-metrics.ts';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { DynamoIdempotency } from '../../adapters/shared/dynamo-idempotency.ts';
import { DynamoLimits } from '../../adapters/shared/dynamo-limits.ts';
import { countLimitStoreFailure } from '../../adapters/shared/limit-alarm.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { countDeadLetter } from '../../adapters/sqs/dead-letters.ts';
import { type MessageQueue, queueByUrl } from '../../adapters/sqs/queue-by-url.ts';
import type { AcceptPorts } from '../../extraction/domain/batch/accept-batch.ts';
import type { UploadLinks } from '../../extraction/domain/create-upload.ts';
import type { DeletePorts } from '../../extraction/domain/delete-results.ts';
import type { ExtractPorts } from '../../extraction/domain/extract.ts';
import type { FreePages } from '../../extraction/domain/free-pages.ts';
import type { ImageId } from '../../extraction/domain/image-outcome.ts';
import type { ExtractionLists } from '../../extraction/domain/list-extractions.ts';
import type { DrugMaster } from '../../extraction/domain/master/drug-master.ts';
import type { OwnListStore, OwnLists, PackedOwnList } from '../../extraction/domain/master/own-list.ts';
import type { PageJudge } from '../../extraction/domain/page-judge.ts';
import { ReaderUnavailable } from '../../extraction/domain/reading/reader-unavailable.ts';
import type { Reviews } from '../../extraction/domain/review.ts';
import type { PictureLinks, StoredImages } from '../../extraction/domain/uploads.ts';
import { toProblem } from '../../extraction/http-errors.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoize } from '../../shared/memoize.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { IMAGES_GIVEN_UP, READER_FAILURES } from '../../shared/metric-names.ts';
import { heldFunds } from '../accounts/held-funds.ts';
import { freeWorkOf } from '../shared/free-work.ts';
import { httpPorts } from '../shared/http.ts';

export const http = { ...httpPorts, toProblem };

export const clock = systemClock;
export const onDeadLetter = countDeadLetter;

/** Counts images for the alarm on those that no try could read. */
export const countGivenUp = (count = 1): Promise<void> => countMetric(IMAGES_GIVEN_UP, count);

async function countReaderFailure(error: unknown): Promise<never> {
  if (error instanceof ReaderUnavailable) await countMetric(READER_FAILURES);
  throw error;
}

/** The extract flow's ports. */
export function extractPorts(): ExtractPorts {
  return { ...readAndSettlePorts(), idempotency: idempotency(), extractions: extractions() };
}

/**
 * Reading, judging and charging on DynamoDB with the readers of this runtime. Heavy or rarely needed parts (native modules, models, drug
 * master, web client) are loaded at first use.
 */
export function readAndSettlePorts(): Omit<ExtractPorts, 'idempotency' | 'extractions'> {
  const settings = environment(
    ...([
      'ACCOUNTS_TABLE',
      'EXTRACTIONS_TABLE',
      'USAGE_TABLE',
      'UPLOADS_BUCKET',
      'TRIPOD_LOCAL',
      'POWERTOOLS_SERVICE_NAME',
    ] as const),
  );
  const tables = {
    accounts: settings.ACCOUNTS_TABLE,
    extractions: settings.EXTRACTIONS_TABLE,
    usage: settings.USAGE_TABLE,
  };
  const images = memoizeAsync(async () => {
    const [{ WebImages }, { S3Uploads }, { s3Client }] = await Promise.all([
      import('../../adapters/extraction/web-images.ts'),
      import('../../adapters/extraction/s3-uploads.ts'),
      import('../../adapters/s3/client.ts'),
    ]);
    const { UPLOADS_BUCKET, TRIPOD_LOCAL } = settings;
    return new WebImages({ allowLoopback: TRIPOD_LOCAL, uploads: new S3Uploads(UPLOADS_BUCKET, s3Client()) });
  });
  return {
    accounts: new DynamoAccounts(dynamoClient(), settings.ACCOUNTS_TABLE),
    settlements: new DynamoSettlements(dynamoClient(), tables, idempotency()),
    line: new DynamoSettlementLine(dynamoClient(), tables, idempotency(), jitteredBackoff),
    images: { fetch: async (url, workspaceId) => (await images()).fetch(url, workspaceId) },
    heldFunds: { releaseExpired: (workspaceId) => heldFunds().releaseExpired(workspaceId) },
    uploads: uploadsBucket(),
    freePages: freePages(),
    freeWork: freeWork(),
    pages: {
      judge: (...page) =>
        pageJudge()
          .then((judge) => judge.judge(...page))
          .catch(countReaderFailure),
    },
    clock: systemClock,
    ids: ulidIds,
    backoff: jitteredBackoff,
    onPictureLost: (error) => logger().error('The image of a call could not be kept', { error: error as Error }),
    onSettled(result) {
      const service = settings.POWERTOOLS_SERVICE_NAME;
      // Not by `console`, whose lines Lambda wraps.
      if (service !== undefined) process.stdout.write(`${readingMetrics(result, service, systemClock.now())}\n`);
    },
  };
}

function freeWork() {
  const settings = environment('FREE_PAGES_PER_ADDRESS', 'FREE_PAGES_IN_ALL');
  return freeWorkOf({
    name: 'free-pages',
    perClient: settings.FREE_PAGES_PER_ADDRESS,
    inAll: settings.FREE_PAGES_IN_ALL,
  });
}

function freePages(): FreePages {
  const { LIMITS_TABLE, FREE_PAGES_PER_DAY } = environment('LIMITS_TABLE', 'FREE_PAGES_PER_DAY');
  if (FREE_PAGES_PER_DAY === 0) return UNLIMITED_FREE_PAGES;
  const store = new DynamoLimits(dynamoClient(), LIMITS_TABLE);
  return new LimitedFreePages(FREE_PAGES_PER_DAY, { store, clock: systemClock, storeFailed: countLimitStoreFailure });
}

/** The only judge of this runtime, ready to read: the first caller waits for its models. */
export const pageJudge: () => Promise<PageJudge> = memoizeAsync(async () => {
  const settings = environment(
    'READER',
    'OCR_DIR',
    'BEDROCK_MODEL',
    'DRUG_MASTER',
    'FORMULARIES_BUCKET',
    'TRIPOD_LOCAL',
    'MANY_AT_A_TIME',
  );
  const { OCR_DIR: ocrDirectory, BEDROCK_MODEL: bedrockModel, DRUG_MASTER: drugMaster } = settings;
  const formularies = settings.FORMULARIES_BUCKET;
  reportStale().catch(() => undefined);
  const reader = { usual: settings.READER, servicesReachable: !settings.TRIPOD_LOCAL };
  if (settings.MANY_AT_A_TIME) {
    // Where one process serves many callers at a time, reading must not hold up the others: it gets its own.
    const { openPool } = await import('../../adapters/readers/pool/open-pool.ts');
    return openPool({ reader, ocrDirectory, bedrockModel, drugMaster, formularies });
  }
  const { openJudge } = await import('../../adapters/readers/open-judge.ts');
  return openJudge({ reader, ocrDirectory, bedrockModel, drugMaster, formularies });
});

/** The drug master, shared with all who use it in this process. */
export async function drugMaster(): Promise<DrugMaster> {
  const { DRUG_MASTER } = environment('DRUG_MASTER');
  const { sharedDrugMaster } = await import('../../adapters/drug-master/drug-master-by-url.ts');
  return (await sharedDrugMaster(DRUG_MASTER)).current();
}

/** The drug lists of workspaces. */
export function ownLists(): OwnListStore & OwnLists {
  const { FORMULARIES_BUCKET } = environment('FORMULARIES_BUCKET');
  const lists = memoizeAsync(async () => {
    const [{ S3OwnLists }, { s3Client }] = await Promise.all([
      import('../../adapters/drug-master/s3-own-lists.ts'),
      import('../../adapters/s3/client.ts'),
    ]);
    return new S3OwnLists(FORMULARIES_BUCKET, s3Client());
  });
  return {
    put: async (...list) => (await lists()).put(...list),
    of: async (workspaceId) => (await lists()).of(workspaceId),
    describe: async (workspaceId) => (await lists()).describe(workspaceId),
    remove: async (workspaceId) => (await lists()).remove(workspaceId),
  };
}

/** The file that a workspace sends; what reads spreadsheets is loaded with the first one. */
export async function ownList(...file: Parameters<typeof threadedOwnList>): Promise<PackedOwnList> {
  return (await import('../../adapters/drug-master/own-list-thread.ts')).threadedOwnList(...file);
}

async function reportStale(): Promise<void> {
  const { reportStaleMaster } = await import('../../adapters/drug-master/report-stale-master.ts');
  await reportStaleMaster((await drugMaster()).info, systemClock.now());
}

/** The ports of deletions, which the audit trail records. */
export function deletePorts(): DeletePorts {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return {
    extractions: extractions(),
    jobs: jobs(),
    leases: imageLeases(),
    openJobs: openJobs(),
    uploads: uploadsBucket(),
    audit: new DynamoAudit(dynamoClient(), ACCOUNTS_TABLE, systemClock),
    clock: systemClock,
    ids: ulidIds,
  };
}

/** The ports of a batch's acceptance. */
export function acceptPorts(): AcceptPorts {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  return {
    accounts: new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE),
    idempotency: idempotency(),
    jobs: jobs(idempotency()),
    openJobs: openJobs(),
    queue: imageQueue(),
    uploads: uploadsBucket(),
    clock: systemClock,
    ids: ulidIds,
    onUnsent: (jobId, error) =>
      logger().error('Images could not be queued; the reconciler will do it', { jobId, error: error as Error }),
  };
}

/** @param keys null where no jobs are created. */
export function jobs(keys: DynamoIdempotency | null = null): DynamoJobs {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoJobs(dynamoClient(), EXTRACTIONS_TABLE, keys, { clock: systemClock, backoff: jitteredBackoff });
}

export function imageLeases(): DynamoImageLeases {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoImageLeases(dynamoClient(), EXTRACTIONS_TABLE);
}

export function openJobs(): DynamoOpenJobs {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoOpenJobs(dynamoClient(), EXTRACTIONS_TABLE);
}

export function imageQueue(): MessageQueue<ImageId> {
  const { BATCH_IMAGES_QUEUE_URL } = environment('BATCH_IMAGES_QUEUE_URL');
  return queueByUrl(BATCH_IMAGES_QUEUE_URL);
}

export function extractions(): DynamoExtractions {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoExtractions(dynamoClient(), EXTRACTIONS_TABLE, systemClock);
}

export function extractionLists(): ExtractionLists {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoExtractionLists(dynamoClient(), EXTRACTIONS_TABLE, systemClock);
}

export function reviews(): Reviews {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoReviews(dynamoClient(), EXTRACTIONS_TABLE, systemClock);
}

/** A page of a PDF or TIFF as a JPEG; the codecs are loaded with the first one. */
export async function drawnPage(...page: Parameters<typeof drawPage>): Promise<Uint8Array> {
  return (await import('../../adapters/extraction/page-drawing.ts')).drawnPage(...page);
}

/** A page of any readable file as a small JPEG. */
export async function thumbnailOf(...page: Parameters<typeof drawThumbnail>): Promise<Uint8Array> {
  return (await import('../../adapters/extraction/page-drawing.ts')).thumbnailOf(...page);
}

/** Addresses of pictures in the bucket of uploads. */
export function pictureLinks(): PictureLinks {
  const { UPLOADS_BUCKET } = environment('UPLOADS_BUCKET');
  const links = memoizeAsync(async () => {
    const { S3UploadLinks } = await import('../../adapters/extraction/s3-upload-links.ts');
    return new S3UploadLinks(UPLOADS_BUCKET);
  });
  return { pictureLink: async (...picture) => (await links()).pictureLink(...picture) };
}

/** The bucket of uploads, for those who put something there or read it as their own. */
export function uploadsBucket(): StoredImages {
  const { UPLOADS_BUCKET } = environment('UPLOADS_BUCKET');
  // S3's client is as much to load as all the rest; a batch of addresses alone does without.
  const store = memoizeAsync(async () => {
    const [{ S3ImageStore }, { s3Client }] = await Promise.all([
      import('../../adapters/extraction/s3-image-store.ts'),
      import('../../adapters/s3/client.ts'),
    ]);
    return new S3ImageStore(UPLOADS_BUCKET, s3Client());
  });
  return {
    put: async (key, bytes) => (await store()).put(key, bytes),
    get: async (key) => (await store()).get(key),
    remove: async (keys) => (await store()).remove(keys),
  };
}

/** Whether an upload must say how long it is. */
export function requiresLength(): boolean {
  return environment('UPLOADS_NEED_LENGTH').UPLOADS_NEED_LENGTH;
}

export function uploadPorts() {
  const { UPLOADS_BUCKET } = environment('UPLOADS_BUCKET');
  const links = memoizeAsync(async () => {
    const { S3UploadLinks } = await import('../../adapters/extraction/s3-upload-links.ts');
    return new S3UploadLinks(UPLOADS_BUCKET);
  });
  return {
    links: {
      putLink: async (...put) => (await links()).putLink(...put),
      getLink: async (...get) => (await links()).getLink(...get),
    } satisfies UploadLinks,
    ids: ulidIds,
  };
}

const idempotency = memoize(() => {
  const { IDEMPOTENCY_TABLE } = environment('IDEMPOTENCY_TABLE');
  return new DynamoIdempotency(dynamoClient(), IDEMPOTENCY_TABLE);
});
