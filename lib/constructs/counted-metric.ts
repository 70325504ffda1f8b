import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS_NAMESPACE, type MetricName } from '../../functions/shared/metric-names.ts';
import type { Config } from '../config.ts';
import { deploymentName } from '../names.ts';
import { ALARM_PERIOD } from './alarms.ts';

/** A count that functions of the deployment write. */
export function countedMetric(config: Pick<Config, 'stage'>, metricName: MetricName): Metric {
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { service: deploymentName(config) },
    period: ALARM_PERIOD,
    statistic: Stats.SUM,
  });
}
