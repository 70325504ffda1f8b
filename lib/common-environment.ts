import { METRICS_NAMESPACE } from '../functions/shared/metric-names.ts';
import type { Config } from './config.ts';
import { deploymentName } from './names.ts';

/** Where callers read about an error. Without a name, the console has the address of the API. */
function guidesUrlOf({ guidesUrl, console, consoleDomainName }: Config): string | undefined {
  if (guidesUrl !== undefined || !console) return guidesUrl;
  return consoleDomainName === undefined ? '/guides' : `https://${consoleDomainName}/guides`;
}

/** Settings of everything that runs the service's code. */
export function commonEnvironment(config: Config, version: string): Record<string, string> {
  const guidesUrl = guidesUrlOf(config);
  return {
    LOG_LEVEL: config.logLevel,
    SERVICE_VERSION: version,
    ...(guidesUrl !== undefined && { GUIDES_URL: guidesUrl }),
    ...(config.domainName !== undefined && { SERVICE_URL: `https://${config.domainName}` }),
    ...(config.corsOrigins.length > 0 && { CORS_ORIGINS: config.corsOrigins.join(' ') }),
    POWERTOOLS_SERVICE_NAME: deploymentName(config),
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    ...(config.tracesEndpoint !== undefined && { TRACES_ENDPOINT: config.tracesEndpoint }),
    ANSWERS_AT_ONCE: String(config.answerConcurrency),
    RUNS_OF_WORKSPACE: String(config.workspaceRuns),
    ...(config.maxUploadSize !== undefined && { SERVICE_MAX_UPLOAD_SIZE: String(config.maxUploadSize) }),
  };
}
