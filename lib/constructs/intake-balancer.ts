import { Duration, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type IVpc, Peer, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  DesyncMitigationMode,
  HttpCodeTarget,
  type IApplicationLoadBalancerTarget,
  SslPolicy,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { ALARM_PERIOD, type Alarms } from './alarms.ts';
import { PrivateBucket } from './private-bucket.ts';

const HTTPS = 443;
const LOG_PREFIX = 'intake';

export interface IntakeBalancerProps {
  readonly config: Config;
  readonly vpc: IVpc;
  readonly certificateArn: string;
  readonly target: IApplicationLoadBalancerTarget;
  /** On which the target listens, HTTP. */
  readonly port: number;
}

/** HTTPS from the internet to the container. It appends the client's address to X-Forwarded-For; the rest of that is hearsay. */
export class IntakeBalancer extends Construct {
  readonly loadBalancer: ApplicationLoadBalancer;
  readonly targets: ApplicationTargetGroup;

  constructor(scope: Construct, id: string, { config, vpc, certificateArn, target, port }: IntakeBalancerProps) {
    super(scope, id);
    const group = new SecurityGroup(this, 'Group', {
      vpc,
      description: 'Load balancer of the container intake: HTTPS from anywhere',
      allowAllOutbound: false,
    });
    group.addIngressRule(Peer.anyIpv4(), Port.tcp(HTTPS), 'Clients');
    this.loadBalancer = new ApplicationLoadBalancer(this, 'LoadBalancer', {
      vpc,
      internetFacing: true,
      securityGroup: group,
      // A client that stops sending for so long is cut off, and so is one that waits longer for the headers of an answer.
      idleTimeout: Duration.seconds(60),
      dropInvalidHeaderFields: true,
      desyncMitigationMode: DesyncMitigationMode.STRICTEST,
      deletionProtection: config.keepData,
    });
    this.#logAccess(config);
    const listener = this.loadBalancer.addListener('Https', {
      port: HTTPS,
      protocol: ApplicationProtocol.HTTPS,
      sslPolicy: SslPolicy.RECOMMENDED_TLS,
      certificates: [Certificate.fromCertificateArn(this, 'Certificate', certificateArn)],
      open: false,
    });
    this.targets = listener.addTargets('Intake', {
      port,
      protocol: ApplicationProtocol.HTTP,
      targets: [target],
      deregistrationDelay: Duration.seconds(30),
      healthCheck: {
        path: '/api/v1/health',
        // 503 says that something behind is failing, which no new container would heal; that one answers is enough.
        healthyHttpCodes: '200,503',
        interval: Duration.seconds(15),
        timeout: Duration.seconds(10),
        healthyThresholdCount: 2,
        unhealthyThresholdCount: 4,
      },
    });
    Validations.of(group).acknowledge({
      id: 'AwsSolutions-EC23',
      reason: 'A public API: clients come from anywhere, to the HTTPS port only, and need a key.',
    });
  }

  watchedBy(alarms: Alarms): void {
    alarms.watch('IntakeServerErrors', {
      metric: this.targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, { period: ALARM_PERIOD }),
      description: 'The container intake answers 5xx',
      threshold: 5,
    });
    alarms.watch('IntakeUnhealthy', {
      metric: this.targets.metrics.unhealthyHostCount({ period: ALARM_PERIOD, statistic: Stats.MAXIMUM }),
      description: 'A container of the intake does not answer',
      threshold: 1,
      periods: 2,
    });
  }

  /** By hand: the CDK's own way wants to know the region beforehand. */
  #logAccess({ logRetentionDays, keepData }: Config): void {
    const { bucket } = new PrivateBucket(this, 'AccessLogs', {
      expiryDays: logRetentionDays,
      keepForGood: keepData,
    });
    bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('logdelivery.elasticloadbalancing.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [bucket.arnForObjects(`${LOG_PREFIX}/AWSLogs/*`)],
      }),
    );
    this.loadBalancer.setAttribute('access_logs.s3.enabled', 'true');
    this.loadBalancer.setAttribute('access_logs.s3.bucket', bucket.bucketName);
    this.loadBalancer.setAttribute('access_logs.s3.prefix', LOG_PREFIX);
    this.loadBalancer.node.addDependency(bucket);
    Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: 'It holds access logs itself.' });
  }
}
