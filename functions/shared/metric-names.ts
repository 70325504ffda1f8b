/** Metrics that functions write and alarms watch. Their one dimension is `service`: POWERTOOLS_SERVICE_NAME. */
export const METRICS_NAMESPACE = 'Tripod';

/** Requests let through because the store of the rate limits did not answer. */
export const LIMIT_STORE_FAILURES = 'LimitStoreFailures';

/** Pages that no reader took: too many waited, or a service that reads pages throttled or failed. */
export const READER_FAILURES = 'ReaderFailures';
/** Answers that a model of the operator's failed to give. */
export const MODEL_FAILURES = 'ModelFailures';
/** Calls of DynamoDB that it throttled. */
export const TABLE_THROTTLES = 'TableThrottles';
/** Ledgers that do not add up. */
export const LEDGER_MISMATCHES = 'LedgerMismatches';
/** Milliseconds from a request for a stream to the first text of its answer. */
export const FIRST_TOKEN_MS = 'FirstTokenMs';

/** Daily budgets of free work that are half used. */
export const FREE_WORK_HALF_SPENT = 'FreeWorkHalfSpent';

/** Images of batches that ended as `processing_failed` without having been among the dead letters. */
export const IMAGES_GIVEN_UP = 'ImagesGivenUp';

/** Runtimes that have loaded a drug list of more than 120 days. */
export const STALE_DRUG_MASTER = 'StaleDrugMaster';

/** Programs that found no free runner within a second. */
export const SANDBOX_MISSES = 'SandboxMisses';
/** Minutes in which no runner was free. */
export const NO_FREE_RUNNERS = 'NoFreeRunners';

/** Messages of queues that were given up. */
export const DEAD_LETTERS = 'DeadLetters';
/** Circuit breakers of platforms that have opened. */
export const CIRCUITS_OPENED = 'CircuitsOpened';
/** Channels whose credentials a platform has started to refuse. */
export const CHANNELS_BROKEN = 'ChannelsBroken';
/** Age of the oldest message of a channel that is neither answered nor delivered, in seconds. */
export const OLDEST_CHANNEL_MESSAGE = 'OldestChannelMessage';

/** Of extractions: money charged, pages, those of them that are of no known document type, lines, and those of them that are GREEN. */
export const REVENUE_KRW = 'RevenueKrw';
export const PAGES = 'Pages';
export const OTHER_PAGES = 'OtherPages';
export const LINES = 'Lines';
export const GREEN_LINES = 'GreenLines';

export type MetricName =
  | typeof REVENUE_KRW
  | typeof PAGES
  | typeof OTHER_PAGES
  | typeof LINES
  | typeof GREEN_LINES
  | typeof LIMIT_STORE_FAILURES
  | typeof FREE_WORK_HALF_SPENT
  | typeof READER_FAILURES
  | typeof MODEL_FAILURES
  | typeof TABLE_THROTTLES
  | typeof LEDGER_MISMATCHES
  | typeof FIRST_TOKEN_MS
  | typeof IMAGES_GIVEN_UP
  | typeof STALE_DRUG_MASTER
  | typeof SANDBOX_MISSES
  | typeof NO_FREE_RUNNERS
  | typeof DEAD_LETTERS
  | typeof CHANNELS_BROKEN
  | typeof CIRCUITS_OPENED
  | typeof OLDEST_CHANNEL_MESSAGE;
