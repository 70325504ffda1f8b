import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Service } from '../../functions/shared/http/route.ts';
import type { Config } from '../config.ts';
import { logGroup } from './log-group.ts';
import { logMetric } from './log-metric.ts';

export interface ServiceLogProps {
  readonly config: Config;
  readonly service: Service;
}

/** Name of the metric of a service's faults. */
export function faultsMetricName(service: Service): string {
  return `${service}.Faults`;
}

/** The log that all functions of a service write to; its streams carry the name of the function. */
export class ServiceLog extends Construct {
  readonly logGroup: LogGroup;
  /** Unexpected errors that functions log, and invocations that crash or run out of time. */
  readonly faults: Metric;

  constructor(scope: Construct, id: string, { config, service }: ServiceLogProps) {
    super(scope, id);
    this.logGroup = logGroup(this, 'Group', config);
    // One metric a service: an alarm on the metric `Errors` of every function would be charged by function, and would
    // miss errors that a handler has turned into an answer.
    this.faults = logMetric(this, 'Faults', {
      config,
      logGroup: this.logGroup,
      metricName: faultsMetricName(service),
      filterPattern: FilterPattern.any(
        FilterPattern.stringValue('$.level', '=', 'ERROR'),
        FilterPattern.all(
          FilterPattern.stringValue('$.type', '=', 'platform.report'),
          FilterPattern.stringValue('$.record.status', '!=', 'success'),
        ),
      ),
    });
  }
}
