import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  type IVpc,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { logGroup } from './log-group.ts';

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
    vpc.addFlowLog('Refused', {
      destination: FlowLogDestination.toCloudWatchLogs(logGroup(this, 'FlowLogs', config)),
      trafficType: FlowLogTrafficType.REJECT,
    });
    // Under exactOptionalPropertyTypes the CDK's own class does not match its interface.
    this.vpc = vpc as IVpc;
  }
}
