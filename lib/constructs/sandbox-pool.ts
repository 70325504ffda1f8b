import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import {
  AvailabilityZoneRebalancing,
  Cluster,
  ContainerInsights,
  FargateService,
  type ICluster,
} from 'aws-cdk-lib/aws-ecs';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as InvokeFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { RunnerAccess, TableId } from '../../functions/shared/http/route.ts';
import { NO_FREE_RUNNERS, SANDBOX_MISSES } from '../../functions/shared/metric-names.ts';
import { tables } from '../../functions/shared/resources.ts';
import type { Config } from '../config.ts';
import type { GrantedAccess } from '../route-access.ts';
import type { Alarms } from './alarms.ts';
import { SandboxNetwork } from './sandbox-network.ts';
import { SandboxTask } from './sandbox-task.ts';
import type { FunctionNetwork } from './service-function.ts';

/** Of the functions that speak to runners. */
const TABLES_IN_REACH: readonly TableId[] = ['accounts', 'executions', 'limits', 'runners'];

export interface SandboxPoolProps {
  readonly config: Config;
  readonly tables: Readonly<Record<TableId, TableV2>>;
  /** Programs and outputs that are too large for a table. */
  readonly executions: IBucket;
}

/** What a function needs to do its part with the pool. */
export interface PoolAccess extends GrantedAccess {
  /** Where it runs; null: outside. */
  readonly network: FunctionNetwork | null;
}

/** Warm runners on Fargate: a service of tasks that each serve one workspace for a while, end by themselves and are replaced. */
export class SandboxPool extends Construct {
  readonly #network: SandboxNetwork;
  readonly #token: Secret;
  readonly #cluster: Cluster;
  readonly #service: FargateService;
  readonly #props: SandboxPoolProps;

  constructor(scope: Construct, id: string, props: SandboxPoolProps) {
    super(scope, id);
    this.#props = props;
    const { config } = props;
    const reached = TABLES_IN_REACH.map((table) => props.tables[table].tableArn);
    this.#network = new SandboxNetwork(this, 'Network', {
      config,
      tableArns: reached,
      bucketName: props.executions.bucketName,
    });
    this.#token = new Secret(this, 'Token', {
      description: 'What the runners know their dispatchers by',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { vpc } = this.#network;
    this.#cluster = new Cluster(this, 'Cluster', { vpc, containerInsightsV2: ContainerInsights.ENABLED });
    const { task } = new SandboxTask(this, 'Task', { config, token: this.#token as ISecret });
    this.#service = new FargateService(this, 'Service', {
      // Under exactOptionalPropertyTypes the CDK's own class does not match its interface.
      cluster: this.#cluster as ICluster,
      taskDefinition: task,
      vpcSubnets: { subnetGroupName: 'runners' },
      securityGroups: [this.#network.runners],
      assignPublicIp: false,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      // It would end tasks in the middle of their programs.
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.DISABLED,
    });
    // The number of tasks is the business of the function that tends them: a deployment leaves it as it is.
    this.#acknowledge();
  }

  /** Rights and settings of a function, to the letter of what it has to do. */
  access(right: RunnerAccess): PoolAccess {
    const { runners } = this.#props.tables;
    const statements: PolicyStatement[] = [];
    const allow = (actions: string[], resource: string, conditions?: Record<string, unknown>) =>
      statements.push(new PolicyStatement({ actions, resources: [resource], ...(conditions && { conditions }) }));
    const ofTable = {
      languages: ['dynamodb:GetItem'],
      run: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
      note: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      tend: ['dynamodb:Query', 'dynamodb:UpdateItem'],
    } as const satisfies Record<RunnerAccess, readonly string[]>;
    allow([...ofTable[right]], runners.tableArn);
    const environment: Record<string, string> = {
      SANDBOX: 'fargate',
      [tables.runners.environment]: runners.tableName,
    };
    if (right === 'run' || right === 'note') {
      allow(['secretsmanager:GetSecretValue'], this.#token.secretArn);
      allow(NETWORK_INTERFACES, '*');
      environment.RUNNER_TOKEN_SECRET = this.#token.secretArn;
      // Endpoints of accounts have names of their own, which the network does not know.
      environment.AWS_ACCOUNT_ID_ENDPOINT_MODE = 'disabled';
      return { statements, environment, network: this.#functionNetwork() };
    }
    if (right === 'tend') this.#tend(allow, environment);
    return { statements, environment, network: null };
  }

  #functionNetwork(): FunctionNetwork {
    const { vpc, functions } = this.#network;
    const vpcSubnets: SubnetSelection = { subnetGroupName: 'functions' };
    return { vpc, vpcSubnets, securityGroups: [functions] };
  }

  #tend(
    allow: (actions: string[], resource: string, conditions?: Record<string, unknown>) => void,
    environment: Record<string, string>,
  ): void {
    const { config } = this.#props;
    const { clusterArn, clusterName } = this.#cluster;
    const tasks = Stack.of(this).formatArn({ service: 'ecs', resource: 'task', resourceName: `${clusterName}/*` });
    allow(['ecs:DescribeServices', 'ecs:UpdateService'], this.#service.serviceArn);
    allow(['ecs:ListTasks'], '*', { ArnEquals: { 'ecs:cluster': clusterArn } });
    allow(['ecs:DescribeTasks', 'ecs:StopTask', 'ecs:UpdateTaskProtection'], tasks);
    Object.assign(environment, {
      RUNNERS_CLUSTER: clusterName,
      RUNNERS_SERVICE: this.#service.serviceName,
      RUNNERS_FLOOR: String(config.sandboxFloor),
      RUNNERS_MOST: String(config.sandboxMost),
    });
  }

  /** Of the rights that `access` gives. */
  acknowledgeWildcards(construct: Construct, right: RunnerAccess): void {
    const acknowledge = (finding: string, reason: string) =>
      Validations.of(construct).acknowledge({ id: `AwsSolutions-IAM5[Resource::${finding}]`, reason });
    if (right === 'run' || right === 'note')
      acknowledge('*', 'The network interfaces of a function are not known beforehand.');
    if (right !== 'tend') return;
    acknowledge('*', 'The list of tasks knows no resources; a condition limits it to the cluster.');
    const { Ref } = Stack.of(this).resolve(this.#cluster.clusterName) as { Ref: string };
    acknowledge(
      `arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:task/<${Ref}>/*`,
      'Tasks of the pool come and go.',
    );
  }

  /** @param note hears of every task that starts or ends. @param tend looks after them once a minute. */
  runWorkers({ note, tend }: { readonly note: LambdaFunction; readonly tend: LambdaFunction }): void {
    new Rule(this, 'Tasks', {
      description: 'Runners that are started and ended',
      eventPattern: {
        source: ['aws.ecs'],
        detailType: ['ECS Task State Change'],
        detail: {
          clusterArn: [this.#cluster.clusterArn],
          lastStatus: ['RUNNING', 'DEACTIVATING', 'STOPPING', 'DEPROVISIONING', 'STOPPED'],
        },
      },
      targets: [new InvokeFunction(note, { retryAttempts: 2, maxEventAge: Duration.minutes(5) })],
    });
    new Rule(this, 'Schedule', {
      description: 'Keeps as many runners as are needed',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new InvokeFunction(tend, { retryAttempts: 0 })],
    });
  }

  watchedBy(alarms: Alarms): void {
    alarms.watch('SandboxMisses', {
      metric: alarms.counted(SANDBOX_MISSES),
      says: 'Programs find no free runner: raise sandboxFloor or sandboxMost',
      threshold: 1,
    });
    alarms.watch('NoFreeRunners', {
      metric: alarms.counted(NO_FREE_RUNNERS),
      says: 'No runner has been free and healthy for minutes: tasks do not start, or sandboxMost is reached',
      threshold: 3,
    });
  }

  #acknowledge(): void {
    Validations.of(this.#token).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It opens nothing outside of a network that nobody gets into; all tasks would have to change at once.',
    });
  }
}

/** As AWSLambdaVPCAccessExecutionRole has them. */
const NETWORK_INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];
