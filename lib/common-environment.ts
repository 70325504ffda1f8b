import { METRICS_NAMESPACE } from '../functions/shared/metric-names.ts';
import type { Config } from './config.ts';
import { deploymentName } from './names.ts';

/** Settings of everything that runs the service's code. */
export function commonEnvironment(config: Config, version: string): Record<string, string> {
  return {
    LOG_LEVEL: config.logLevel,
    SERVICE_VERSION: version,
    ...(config.corsOrigins.length > 0 && { CORS_ORIGINS: config.corsOrigins.join(' ') }),
    POWERTOOLS_SERVICE_NAME: deploymentName(config),
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    ANSWERS_AT_ONCE: String(config.answerConcurrency),
    ...(config.maxUploadSize !== undefined && { SERVICE_MAX_UPLOAD_SIZE: String(config.maxUploadSize) }),
  };
}
