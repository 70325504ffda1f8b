import type { Config } from './config.ts';

/** Name of the deployment: of the API and the dashboard, and the dimension `service` of metrics that functions write. */
export function deploymentName({ stage }: Pick<Config, 'stage'>): string {
  return `tripod-${stage}`;
}

/** Name of the function of a route or worker; known without its stack, so that no stack has to export it. */
export function functionName(config: Pick<Config, 'stage'>, id: string): string {
  return `${deploymentName(config)}-${id.replaceAll('.', '-')}`;
}

/** Namespace of the metrics that are counted from logs: a metric filter cannot set a fixed dimension. */
export function logMetricsNamespace({ stage }: Pick<Config, 'stage'>): string {
  return `Tripod/${stage}`;
}

/** Name of the cluster of runners: its metrics are found by it. */
export function poolClusterName(config: Pick<Config, 'stage'>): string {
  return `${deploymentName(config)}-sandbox`;
}
