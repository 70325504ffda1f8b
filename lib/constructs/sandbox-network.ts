import { Arn, Fn, Stack, Validations } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpoint,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import { RUNNER_PORT } from '../../functions/adapters/runner/ecs-runner-tasks.ts';
import type { Config } from '../config.ts';
import { logGroup } from './log-group.ts';
import { SandboxDnsFirewall } from './sandbox-dns-firewall.ts';

const HTTPS = Port.tcp(443);
/** Of the services that the runners' tasks are started with: image, log, token; the last for the functions alone. */
const INTERFACES = {
  'ecr.api': InterfaceVpcEndpointAwsService.ECR,
  'ecr.dkr': InterfaceVpcEndpointAwsService.ECR_DOCKER,
  logs: InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
  secretsmanager: InterfaceVpcEndpointAwsService.SECRETS_MANAGER,
  sqs: InterfaceVpcEndpointAwsService.SQS,
} as const;

export interface SandboxNetworkProps {
  readonly config: Config;
  /** Tables used by the functions that speak to runners. */
  readonly tableArns: readonly string[];
  readonly bucketName: string;
}

/**
 * Where runners and those that speak to them are, and nothing else: no way to the internet, no way in. Runners take
 * connections from the functions alone, and have a way to what starts them alone: the network of a task is the same for its
 * program and for what pulls its image.
 */
export class SandboxNetwork extends Construct {
  readonly vpc: IVpc;
  readonly runners: SecurityGroup;
  readonly functions: SecurityGroup;
  readonly #lookupLog: LogGroup;

  constructor(scope: Construct, id: string, { config, tableArns, bucketName }: SandboxNetworkProps) {
    super(scope, id);
    const vpc = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [
        { name: 'runners', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 22 },
        { name: 'functions', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 22 },
      ],
      // Nothing is in the default group; emptying it would take a function.
      restrictDefaultSecurityGroup: false,
    });
    // Under exactOptionalPropertyTypes the CDK's own class does not match its interface.
    this.vpc = vpc as IVpc;
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc, description, allowAllOutbound: false });
    this.runners = group('Runners', 'Runners of programs: reached by their dispatchers alone');
    this.functions = group('Functions', 'Functions that speak to runners');
    const endpoints = group('Endpoints', 'Services of AWS inside the network');

    this.#lookupLog = logGroup(this, 'LookupLog', config);
    vpc.addFlowLog('Refused', {
      destination: FlowLogDestination.toCloudWatchLogs(logGroup(this, 'FlowLogs', config)),
      trafficType: FlowLogTrafficType.REJECT,
    });
    this.#addInterfaces(endpoints);
    this.#addGateways(bucketName, tableArns);
    this.#open(endpoints);
    this.#acknowledgeLookups();
    const names = [
      ...['api.ecr', '*.dkr.ecr', 'logs', 'secretsmanager', 'sqs', 'dynamodb'].map(regionalName),
      `${layersBucket()}.${regionalName('s3')}`,
      `${bucketName}.${regionalName('s3')}`,
    ];
    new SandboxDnsFirewall(this, 'DnsFirewall', { vpc: this.vpc, names });
  }

  #open(endpoints: SecurityGroup): void {
    this.functions.connections.allowTo(this.runners, Port.tcp(RUNNER_PORT), 'Programs to run');
    const s3 = Peer.prefixList(this.#prefixList('s3'));
    for (const group of [this.runners, this.functions]) {
      group.connections.allowTo(endpoints, HTTPS, 'Services of AWS');
      group.addEgressRule(s3, HTTPS, 'S3');
    }
    this.functions.addEgressRule(Peer.prefixList(this.#prefixList('dynamodb')), HTTPS, 'DynamoDB');
  }

  #addInterfaces(group: SecurityGroup): void {
    for (const [name, service] of Object.entries(INTERFACES))
      this.vpc.addInterfaceEndpoint(name, {
        service,
        subnets: { subnetGroupName: 'functions' },
        securityGroups: [group],
        open: false,
      });
  }

  /** A program that escaped through them would still reach only these buckets and tables. */
  #addGateways(bucketName: string, tableArns: readonly string[]): void {
    const vpc = this.vpc;
    const s3 = new GatewayVpcEndpoint(this, 'S3', { vpc, service: GatewayVpcEndpointAwsService.S3 });
    const object = (bucket: string) =>
      Arn.format({ service: 's3', region: '', account: '', resource: bucket, resourceName: '*' }, Stack.of(this));
    s3.addToPolicy(anyone(['s3:GetObject'], [object(layersBucket())]));
    s3.addToPolicy(anyone(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [object(bucketName)]));
    const dynamodb = new GatewayVpcEndpoint(this, 'DynamoDb', {
      vpc,
      service: GatewayVpcEndpointAwsService.DYNAMODB,
      subnets: [{ subnetGroupName: 'functions' }],
    });
    dynamodb.addToPolicy(anyone(['dynamodb:*'], [...tableArns]));
  }

  #acknowledgeLookups(): void {
    const provider = Stack.of(this).node.findChild(LOOKUP_PROVIDER);
    Validations.of(provider).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'The CDK’s own function, which runs at deployments alone.',
    });
  }

  /** The addresses of a service that a gateway leads to, kept by AWS in a list whose id differs by region. */
  #prefixList(service: 's3' | 'dynamodb'): string {
    const { region } = Stack.of(this);
    const name = `com.amazonaws.${region}.${service}`;
    const lookup = new AwsCustomResource(this, `${service}Addresses`, {
      resourceType: 'Custom::PrefixList',
      onUpdate: {
        service: 'EC2',
        action: 'DescribeManagedPrefixLists',
        parameters: { Filters: [{ Name: 'prefix-list-name', Values: [name] }] },
        outputPaths: ['PrefixLists.0.PrefixListId'],
        physicalResourceId: PhysicalResourceId.of(name),
      },
      policy: AwsCustomResourcePolicy.fromSdkCalls({ resources: AwsCustomResourcePolicy.ANY_RESOURCE }),
      installLatestAwsSdk: false,
      logGroup: this.#lookupLog,
    });
    Validations.of(lookup).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'ec2:DescribeManagedPrefixLists knows no resources.',
    });
    return lookup.getResponseField('PrefixLists.0.PrefixListId');
  }
}

function anyone(actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ principals: [new AnyPrincipal()], actions, resources });
}

/** Where the CDK puts the function of custom resources. */
const LOOKUP_PROVIDER = `AWS${AwsCustomResource.PROVIDER_FUNCTION_UUID.replaceAll('-', '')}`;

const regionalName = (service: string) => `${service}.${Fn.ref('AWS::Region')}.${Fn.ref('AWS::URLSuffix')}`;

/** In which ECR keeps the layers of images. */
const layersBucket = () => `prod-${Fn.ref('AWS::Region')}-starport-layer-bucket`;
