import { Annotations, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Service } from '../../functions/shared/function-id.ts';
import {
  DEAD_LETTERS,
  FREE_WORK_HALF_SPENT,
  LEDGER_MISMATCHES,
  MODEL_FAILURES,
  READER_FAILURES,
  TABLE_THROTTLES,
} from '../../functions/shared/metric-names.ts';
import type { Config } from '../config.ts';
import { ALARM_PERIOD, Alarms } from '../constructs/alarms.ts';
import { countedMetric } from '../constructs/counted-metric.ts';
import { ServiceDashboard } from '../constructs/service-dashboard.ts';
import { FAULTS } from '../constructs/service-log.ts';
import { deploymentName, logMetricsNamespace } from '../names.ts';
import { totalQueueConcurrency } from '../queue-concurrency.ts';
import type { DataStack } from './data-stack.ts';

export interface OperationsStackProps extends StackProps {
  readonly config: Config;
  readonly data: DataStack;
  readonly services: readonly Service[];
  /** The given options, for `npm run deploy:check` to compare the next ones with. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Everything for the operator: the topic of all alarms, the dashboard, the budget. Knows the services by name only. */
export class OperationsStack extends Stack {
  readonly alarmTopic: Topic;

  constructor(scope: Construct, id: string, { config, data, services, options, ...props }: OperationsStackProps) {
    super(scope, id, props);
    this.alarmTopic = this.#topic(config);
    this.exportValue(this.alarmTopic.topicArn);
    this.#watch(config);
    new ServiceDashboard(this, 'Dashboard', { config, data, services });
    if (config.monthlyBudgetUsd !== undefined) this.#budget(config.monthlyBudgetUsd, config);
    new CfnOutput(this, 'Options', {
      value: JSON.stringify(options),
      description:
        'Options of this deployment, without defaults: npm run deploy:check compares the next ones with them',
    });
    new CfnOutput(this, 'QueueConcurrency', {
      value: String(totalQueueConcurrency(config)),
      description:
        'Functions that run at once when all queues are full: the quota of Lambda should be larger by 20 at least',
    });
    new CfnOutput(this, 'AlarmTopic', {
      value: this.alarmTopic.topicArn,
      description: 'Topic of all alarms: subscribe their recipients',
    });
  }

  /** One metric for all services each: CloudWatch charges alarms by the metrics that they watch. */
  #watch(config: Config): void {
    const alarms = new Alarms(this, 'Alarms', this.alarmTopic);
    alarms.watch('Faults', {
      metric: new Metric({
        namespace: logMetricsNamespace(config),
        metricName: FAULTS,
        statistic: Stats.SUM,
        period: ALARM_PERIOD,
      }),
      description:
        'A function crashed, ran out of time or logged an unexpected error: the dashboard shows the service, its log the reason',
      threshold: 1,
    });
    alarms.watch('DeadLetters', {
      metric: countedMetric(config, DEAD_LETTERS),
      description:
        'Messages were given up: the dashboard shows the queue, the log of its service names them; those of channels are ' +
        'listed by GET /api/v1/dead-letters, and can be replayed',
      threshold: 1,
    });
    alarms.watch('FreeWorkHalfSpent', {
      metric: countedMetric(config, FREE_WORK_HALF_SPENT),
      description:
        'Half of a daily budget of free work is spent: a flood of registrations or of free pages; the log names ' +
        'which. At the whole of it such work is refused until the next day (UTC)',
      threshold: 1,
    });
    alarms.watch('ReaderUnavailable', {
      metric: countedMetric(config, READER_FAILURES),
      description: 'Pages are not read: too many wait for a reader, or a service that reads pages throttles or fails',
      threshold: 10,
    });
    if (config.chatModels.length > 0)
      alarms.watch('ModelFailures', {
        metric: countedMetric(config, MODEL_FAILURES),
        description: 'Models on Bedrock do not answer: throttled, without access, or failing',
        threshold: 5,
      });
    alarms.watch('TableThrottles', {
      metric: countedMetric(config, TABLE_THROTTLES),
      description: 'DynamoDB throttles calls: a key that is too hot, or the quota of the account for on-demand tables',
      threshold: 20,
    });
    alarms.watch('LedgerMismatches', {
      metric: countedMetric(config, LEDGER_MISMATCHES),
      description: 'A balance is not the sum of its ledger: the log of accounts.check-ledger names the workspace',
      threshold: 1,
    });
    alarms.watch('Throttles', {
      // Of the account: all functions share its concurrency, and any of them may be throttled.
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Throttles',
        statistic: Stats.SUM,
        period: ALARM_PERIOD,
      }),
      description: 'Functions are throttled: the concurrency of the account is used up; ask for a higher quota',
      threshold: 1,
    });
  }

  #topic(config: Config): Topic {
    const topic = new Topic(this, 'Topic', { displayName: `${deploymentName(config)} alarms`, enforceSSL: true });
    // Refusing plain HTTP takes a policy, and a policy replaces the default one, by which CloudWatch could publish.
    for (const service of ['cloudwatch', 'budgets'])
      topic.addToResourcePolicy(
        new PolicyStatement({
          principals: [new ServicePrincipal(`${service}.amazonaws.com`)],
          actions: ['sns:Publish'],
          resources: [topic.topicArn],
          conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
        }),
      );
    Validations.of(topic).acknowledge({
      id: 'AwsSolutions-SNS2',
      reason: 'Alarms name a resource and hold no data; CloudWatch cannot publish to a topic under the key of SNS.',
    });
    if (config.alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(config.alarmEmail));
    else
      Annotations.of(this).addWarningV2(
        'tripod:no-alarm-mail',
        'Alarms have no subscriber: name an address with -c alarmEmail=…, or subscribe to the topic of the output AlarmTopic.',
      );
    return topic;
  }

  /** On the costs of the whole account: costs by tag would need tags that are activated by hand, and come a day late. */
  #budget(amount: number, config: Config): void {
    const notification = (
      notificationType: string,
      threshold: number,
    ): CfnBudget.NotificationWithSubscribersProperty => ({
      notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold, thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: this.alarmTopic.topicArn }],
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: deploymentName(config),
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount, unit: 'USD' },
      },
      notificationsWithSubscribers: [notification('ACTUAL', 80), notification('FORECASTED', 100)],
    });
  }
}
