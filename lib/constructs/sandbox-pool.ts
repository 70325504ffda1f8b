import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
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
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { grantsOfKind } from '../../functions/shared/access.ts';
import { NO_FREE_RUNNERS, SANDBOX_MISSES } from '../../functions/shared/metric-names.ts';
import { type TableId, tables } from '../../functions/shared/resources.ts';
import type { Config } from '../config.ts';
import type { PoolRole, RunnerGrants } from '../grants/grant.ts';
import { allow, type Grant, type Granted, type Wildcard } from '../grants/grant.ts';
import { poolClusterName } from '../names.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import type { Alarms } from './alarms.ts';
import { countedMetric } from './counted-metric.ts';
import { SandboxNetwork } from './sandbox-network.ts';
import { SandboxTask } from './sandbox-task.ts';
import type { FunctionNetwork } from './service-function.ts';

export interface SandboxPoolProps {
  readonly config: Config;
  readonly data: DataStack;
  /** Functions that may be in the network of the pool: it lets them reach their tables. */
  readonly callers: readonly Granted[];
}

/** Rights to the registry of runners. */
const REGISTRY_ACTIONS = {
  'runners:run': ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
  'runners:note': ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
  'runners:tend': ['dynamodb:Query', 'dynamodb:UpdateItem'],
} as const satisfies Record<PoolRole, readonly string[]>;

/** Warm runners on Fargate: a service of tasks that each serve one workspace for a while, end by themselves and are replaced. */
export class SandboxPool extends Construct implements RunnerGrants {
  readonly #network: SandboxNetwork;
  readonly #token: Secret;
  readonly #cluster: Cluster;
  readonly #service: FargateService;
  readonly #props: SandboxPoolProps;

  constructor(scope: Construct, id: string, props: SandboxPoolProps) {
    super(scope, id);
    this.#props = props;
    const { config, data } = props;
    this.#network = new SandboxNetwork(this, 'Network', {
      config,
      tableArns: tablesInReach(props.callers).map((id) => data.tables[id].tableArn),
      bucketName: data.buckets.executions.bucketName,
    });
    this.#token = new Secret(this, 'Token', {
      description: 'What the runners know their dispatchers by',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { vpc } = this.#network;
    this.#cluster = new Cluster(this, 'Cluster', {
      clusterName: poolClusterName(config),
      vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
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
    // A task that starts before its network is complete, or before its role may pull the image, fails; some failures, and
    // the circuit breaker rolls the whole stack back.
    this.#service.node.addDependency(this.#network, task.obtainExecutionRole());
    // The number of tasks is the business of the function that tends them: a deployment leaves it as it is.
    this.#acknowledge();
  }

  grant(role: PoolRole): Grant {
    const { runners } = this.#props.data.tables;
    const registry = allow(REGISTRY_ACTIONS[role], [runners.tableArn]);
    const environment = { SANDBOX: 'fargate', [tables.runners.environment]: runners.tableName };
    if (role === 'runners:tend') {
      const { statements, environment: settings, wildcards } = this.#scaling();
      return { statements: [registry, ...statements], environment: { ...environment, ...settings }, wildcards };
    }
    const { secretArn } = this.#token;
    return {
      statements: [
        registry,
        allow(['secretsmanager:GetSecretValue'], [secretArn]),
        allow(NETWORK_INTERFACE_ACTIONS, ['*']),
      ],
      environment: {
        ...environment,
        RUNNER_TOKEN_SECRET: secretArn,
        // Account-specific endpoints have different names, which the network does not know.
        AWS_ACCOUNT_ID_ENDPOINT_MODE: 'disabled',
      },
      wildcards: [{ resource: '*', reason: 'The network interfaces of a function are not known beforehand.' }],
      network: this.#functionNetwork(),
    };
  }

  #functionNetwork(): FunctionNetwork {
    const { vpc, functions } = this.#network;
    const vpcSubnets: SubnetSelection = { subnetGroupName: 'functions' };
    return { vpc, vpcSubnets, securityGroups: [functions] };
  }

  #scaling(): Required<Pick<Grant, 'statements' | 'environment' | 'wildcards'>> {
    const { config } = this.#props;
    const { clusterArn, clusterName } = this.#cluster;
    const stack = Stack.of(this);
    const tasks = stack.formatArn({ service: 'ecs', resource: 'task', resourceName: `${clusterName}/*` });
    const { Ref: cluster } = stack.resolve(clusterName) as { Ref: string };
    const wildcards: readonly Wildcard[] = [
      { resource: '*', reason: 'The list of tasks knows no resources; a condition limits it to the cluster.' },
      {
        resource: `arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:task/<${cluster}>/*`,
        reason: 'Tasks of the pool come and go.',
      },
    ];
    return {
      statements: [
        allow(['ecs:DescribeServices', 'ecs:UpdateService'], [this.#service.serviceArn]),
        allow(['ecs:ListTasks'], ['*'], { ArnEquals: { 'ecs:cluster': clusterArn } }),
        allow(['ecs:DescribeTasks', 'ecs:StopTask', 'ecs:UpdateTaskProtection'], [tasks]),
      ],
      environment: {
        RUNNERS_CLUSTER: clusterName,
        RUNNERS_SERVICE: this.#service.serviceName,
        RUNNERS_MIN_IDLE: String(config.sandboxMinIdle),
        RUNNERS_MAX_SIZE: String(config.sandboxMaxSize),
      },
      wildcards,
    };
  }

  /** @param note gets every start and end of a task. @param tend scales the pool, once a minute. */
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
      metric: countedMetric(this.#props.config, SANDBOX_MISSES),
      description: 'Programs find no free runner: raise sandboxMinIdle or sandboxMaxSize',
      threshold: 1,
    });
    alarms.watch('NoFreeRunners', {
      metric: countedMetric(this.#props.config, NO_FREE_RUNNERS),
      description: 'No runner has been free and healthy for minutes: tasks do not start, or sandboxMaxSize is reached',
      threshold: 3,
    });
  }

  #acknowledge(): void {
    Validations.of(this.#token).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It opens nothing outside of a network without a way in; all tasks would have to change at once.',
    });
  }
}

/** As AWSLambdaVPCAccessExecutionRole has them. */
const NETWORK_INTERFACE_ACTIONS = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** Tables of the functions that are in the network; those of callers, limits and the registry are always among them. */
function tablesInReach(callers: readonly Granted[]): readonly TableId[] {
  const inside = callers.filter(({ access }) => access.includes('runners:run') || access.includes('runners:note'));
  const named = inside.flatMap(({ access }) => grantsOfKind(access, 'table').map(({ table }) => table));
  return [...new Set<TableId>(['accounts', 'limits', 'runners', ...named])].sort();
}
