import { Duration, Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  IMAGES_GIVEN_UP,
  LIMIT_STORE_FAILURES,
  METRICS_NAMESPACE,
  type MetricName,
} from '../../functions/shared/metric-names.ts';

const PERIOD = Duration.minutes(5);
/** API Gateway gives up after 29 s: what takes longer than this is about to fail. */
const SLOW_MS = 20_000;

export interface AlarmsProps {
  readonly api: RestApi;
  readonly functions: Readonly<Record<string, LambdaFunction>>;
  readonly deadLetters: Readonly<Record<string, Queue>>;
  /** Dimension of the metrics that the functions write. */
  readonly serviceName: string;
  readonly email: string | undefined;
}

export interface Condition {
  readonly metric: IMetric;
  readonly says: string;
  /** Alarm at this value and above. */
  readonly threshold: number;
  /** Periods in a row. */
  readonly periods?: number;
}

/** What an operator must look at; every alarm goes to one topic, and from there to a mail. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly #serviceName: string;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { api, functions, deadLetters, serviceName, email } = props;
    this.#serviceName = serviceName;
    this.topic = new Topic(this, 'Topic', { displayName: `${serviceName} alarms`, enforceSSL: true });
    Validations.of(this.topic).acknowledge({
      id: 'AwsSolutions-SNS2',
      reason: 'Alarms name a resource and hold no data; CloudWatch cannot publish to a topic under the key of SNS.',
    });
    if (email) this.topic.addSubscription(new EmailSubscription(email));

    this.watch('ServerErrors', {
      metric: api.metricServerError({ period: PERIOD, statistic: Stats.SUM }),
      says: 'The API answers 5xx',
      threshold: 5,
    });
    this.watch('SlowAnswers', {
      metric: api.metricLatency({ period: PERIOD, statistic: Stats.p(99) }),
      says: `One answer in a hundred takes ${SLOW_MS / 1000} s or more`,
      threshold: SLOW_MS,
      periods: 3,
    });
    this.watch('LimitStoreFailures', {
      metric: this.counted(LIMIT_STORE_FAILURES),
      says: 'Rate limits cannot be kept: requests pass unlimited',
      threshold: 1,
    });
    this.watch('ImagesGivenUp', {
      metric: this.counted(IMAGES_GIVEN_UP),
      says: 'Images of batches have killed their workers, or waited for days, and were given up',
      threshold: 1,
    });
    for (const [name, handler] of Object.entries(functions)) {
      this.watch(`${name}-errors`, {
        metric: handler.metricErrors({ period: PERIOD }),
        says: `${name} crashes or runs out of time`,
        threshold: 1,
      });
      this.watch(`${name}-throttles`, {
        metric: handler.metricThrottles({ period: PERIOD }),
        says: `${name} is turned away: the account's concurrency is used up`,
        threshold: 1,
      });
    }
    for (const [name, queue] of Object.entries(deadLetters))
      this.watch(`${name}-dead-letters`, {
        // Their worker takes them out at once, before anybody counts what lies there; the queue counts what it took.
        metric: queue.metricNumberOfMessagesReceived({ period: PERIOD, statistic: Stats.SUM }),
        says: `Messages of ${name} have failed for good: their worker has ended what they asked for`,
        threshold: 1,
      });
  }

  /** What functions have counted in a period. */
  counted(metricName: MetricName): Metric {
    return new Metric({
      namespace: METRICS_NAMESPACE,
      metricName,
      dimensionsMap: { service: this.#serviceName },
      period: PERIOD,
      statistic: Stats.SUM,
    });
  }

  /** Raises the alarm when the condition holds. */
  watch(id: string, { metric, says, threshold, periods = 1 }: Condition): void {
    new Alarm(this, id, {
      alarmDescription: says,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No traffic is no trouble.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    }).addAlarmAction(new SnsAction(this.topic));
  }
}
