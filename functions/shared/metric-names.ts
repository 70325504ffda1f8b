/** Metrics that functions write and alarms watch. Their one dimension is `service`: POWERTOOLS_SERVICE_NAME. */
export const METRICS_NAMESPACE = 'Tripod';

/** Requests let through because the store of the rate limits did not answer. */
export const LIMIT_STORE_FAILURES = 'LimitStoreFailures';

/** Images of batches that ended as `processing_failed` without having been among the dead letters. */
export const IMAGES_GIVEN_UP = 'ImagesGivenUp';

export type MetricName = typeof LIMIT_STORE_FAILURES | typeof IMAGES_GIVEN_UP;
