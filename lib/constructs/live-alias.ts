import { Duration, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Alias, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Service } from '../../functions/shared/function-id.ts';
import { LIVE_ALIAS } from '../canary.ts';
import type { Config } from '../config.ts';
import { logMetricsNamespace } from '../names.ts';
import { faultsMetricName } from './service-log.ts';

const CANARIES: Readonly<Record<number, ILambdaDeploymentConfig>> = {
  5: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  10: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  15: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  30: LambdaDeploymentConfig.CANARY_10PERCENT_30MINUTES,
};
/** Faults of a service within a minute at which a new version is taken back. */
const MAX_FAULTS = 3;

/**
 * Aliases of a service's functions. With `canaryMinutes`, CodeDeploy sends a tenth of the calls to a new version at first, and takes it back when
 * the service has faults meanwhile; the stack's update then fails, and CloudFormation rolls it back.
 */
export class LiveAliases extends Construct {
  readonly #config: Config;
  readonly #service: Service;
  #canary: { readonly application: LambdaApplication; readonly alarm: Alarm } | undefined;

  constructor(
    scope: Construct,
    id: string,
    { config, service }: { readonly config: Config; readonly service: Service },
  ) {
    super(scope, id);
    this.#config = config;
    this.#service = service;
  }

  /** @param id of the route. */
  add(id: string, target: LambdaFunction): Alias {
    // The CDK's own types disagree under exactOptionalPropertyTypes.
    const version = target.currentVersion as IVersion;
    const alias = new Alias(this, id, { aliasName: LIVE_ALIAS, version });
    const deploymentConfig = CANARIES[this.#config.canaryMinutes];
    if (deploymentConfig === undefined) return alias;
    this.#canary ??= this.#makeCanary();
    const { application, alarm } = this.#canary;
    const group = new LambdaDeploymentGroup(this, `${id}-canary`, {
      application,
      alias,
      deploymentConfig,
      alarms: [alarm],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    Validations.of(group).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'The managed policy that CodeDeploy asks for: it may move aliases, and read alarms.',
    });
    return alias;
  }

  #makeCanary() {
    const alarm = new Alarm(this, 'Faults', {
      alarmDescription: 'A new version has faults: CodeDeploy takes it back',
      metric: new Metric({
        namespace: logMetricsNamespace(this.#config),
        metricName: faultsMetricName(this.#service),
        statistic: Stats.SUM,
        period: Duration.minutes(1),
      }),
      threshold: MAX_FAULTS,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    return { application: new LambdaApplication(this, 'Application'), alarm };
  }
}
