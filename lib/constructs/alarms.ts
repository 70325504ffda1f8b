import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

export const ALARM_PERIOD = Duration.minutes(5);

export interface Condition {
  /** One metric: CloudWatch charges an alarm by the metrics that it watches. */
  readonly metric: IMetric;
  readonly description: string;
  /** Alarm at this value and above. */
  readonly threshold: number;
  /** Consecutive periods. */
  readonly periods?: number;
}

/** Alarms of a stack; all go to the topic of the deployment. */
export class Alarms extends Construct {
  readonly #topic: ITopic;

  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id);
    this.#topic = topic;
  }

  watch(id: string, { metric, description, threshold, periods = 1 }: Condition): void {
    new Alarm(this, id, {
      alarmDescription: description,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No traffic is not a fault.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    }).addAlarmAction(new SnsAction(this.#topic));
  }
}
