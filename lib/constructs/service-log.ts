import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Service } from '../../functions/shared/function-id.ts';
import type { Config } from '../config.ts';
import { logGroup } from './log-group.ts';
import { logMetric } from './log-metric.ts';

export interface ServiceLogProps {
  readonly config: Config;
  readonly service: Service;
}

/** Name of the metric of all services' faults, which the alarm watches. */
export const FAULTS = 'Faults';

/** Name of the metric of one service's faults, for the dashboard: where no alarm watches it, it costs only while there are faults. */
export function faultsMetricName(service: Service): string {
  return `${service}.${FAULTS}`;
}

/**
 * The log that all functions of a service write to; its streams carry the name of the function. Unexpected errors that
 * functions log, and invocations that crash or run out of time, are counted as faults: an alarm on the metric `Errors` of
 * every function would be charged by function, and would miss errors that a handler has turned into an answer.
 */
export class ServiceLog extends Construct {
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, { config, service }: ServiceLogProps) {
    super(scope, id);
    this.logGroup = logGroup(this, 'Group', config);
    const filterPattern = FilterPattern.any(
      FilterPattern.stringValue('$.level', '=', 'ERROR'),
      FilterPattern.all(
        FilterPattern.stringValue('$.type', '=', 'platform.report'),
        FilterPattern.stringValue('$.record.status', '!=', 'success'),
      ),
    );
    // A filter writes one metric.
    for (const [part, metricName] of [
      ['Faults', faultsMetricName(service)],
      ['AllFaults', FAULTS],
    ] as const)
      logMetric(this, part, { config, logGroup: this.logGroup, metricName, filterPattern });
  }
}
