import { DrugMasterMissing } from '../../extraction/domain/master/drug-master-source.ts';
import { environment } from '../../shared/environment.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { logger } from '../../shared/logging.ts';
import { httpPorts } from '../../wiring/shared/http.ts';
import { healthChecks } from '../../wiring/system/health.ts';
import { checkHealth } from '../domain/health.ts';
import { getHealthRoute } from '../routes.ts';

const CHECK_TIMEOUT_MS = 4_000;

const { SERVICE_VERSION } = environment('SERVICE_VERSION');
const dependencies = healthChecks();

const endpoint = pipeline(
  getHealthRoute,
  { authenticators: {}, corsOrigins: httpPorts.corsOrigins },
  async ({ requestId }) => {
    const { status, checks, reasons, publicReasons } = await checkHealth(dependencies, {
      timeoutMs: CHECK_TIMEOUT_MS,
      optional: ['sandbox'],
    });
    for (const [check, reason] of Object.entries(reasons))
      logger().error('Health check failed', { requestId, check, error: reason as Error });
    const error = reasons.drugMaster instanceof DrugMasterMissing && {
      error: { code: 'master_missing', message: `${DrugMasterMissing.ADVICE}.` },
    };
    const { sandbox: why } = publicReasons;
    const body = {
      status,
      version: SERVICE_VERSION,
      checks,
      ...(why !== undefined && { reasons: { sandbox: why } }),
      ...error,
    };
    return { status: status === 'ok' ? 200 : 503, body };
  },
);

export const handler = bufferedHandler(endpoint);
