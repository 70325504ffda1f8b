import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { logMetricsNamespace } from '../names.ts';
import { ALARM_PERIOD } from './alarms.ts';

export interface LogMetricProps {
  readonly config: Config;
  readonly logGroup: ILogGroup;
  readonly metricName: string;
  readonly filterPattern: IFilterPattern;
}

/** Number of log events that match a pattern. Without a default value: a metric without data costs nothing. */
export function logMetric(
  scope: Construct,
  id: string,
  { config, logGroup, metricName, filterPattern }: LogMetricProps,
): Metric {
  const metricNamespace = logMetricsNamespace(config);
  new MetricFilter(scope, id, { logGroup, metricNamespace, metricName, filterPattern, metricValue: '1' });
  return new Metric({ namespace: metricNamespace, metricName, statistic: Stats.SUM, period: ALARM_PERIOD });
}
