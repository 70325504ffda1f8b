import { RemovalPolicy } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  type IVpc,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';

/** Two public subnets: a NAT gateway would cost more than all the rest. DynamoDB and S3 are reached without the internet. */
export class IntakeNetwork extends Construct {
  readonly vpc: IVpc;

  constructor(scope: Construct, id: string, { config }: { readonly config: Config }) {
    super(scope, id);
    const vpc = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [{ name: 'public', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false }],
      gatewayEndpoints: {
        dynamodb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        s3: { service: GatewayVpcEndpointAwsService.S3 },
      },
      // Nothing is in the default group; emptying it would take a function.
      restrictDefaultSecurityGroup: false,
    });
    const logGroup = new LogGroup(this, 'FlowLogs', {
      retention: config.logRetentionDays,
      removalPolicy: config.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    vpc.addFlowLog('Refused', {
      destination: FlowLogDestination.toCloudWatchLogs(logGroup),
      trafficType: FlowLogTrafficType.REJECT,
    });
    // Under exactOptionalPropertyTypes the CDK's own class does not match its interface.
    this.vpc = vpc as IVpc;
  }
}
