import { Duration, Validations } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Cluster,
  ContainerImage,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { intakeDockerfile, intakeFiles } from '../packaging/intake-image.ts';
import { repository } from '../packaging/paths.ts';
import { IntakeBalancer } from './intake-balancer.ts';
import { IntakeNetwork } from './intake-network.ts';
import { logGroup } from './log-group.ts';

const PORT = 8080;
const UNITS_OF_ONE_CPU = 1024;
const MEMORY_MIB = 4096;
const MAX_TASKS = 4;

export interface IntakeProps {
  readonly config: Config;
  readonly certificateArn: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The program's rights, except for writing its log: those of the routes that it serves. */
  readonly statements: readonly PolicyStatement[];
}

/** Takes inline images of any size that the service reads: the routes of specification 1 in a container behind a load balancer. */
export class Intake extends Construct {
  readonly balancer: IntakeBalancer;

  constructor(scope: Construct, id: string, props: IntakeProps) {
    super(scope, id);
    const { config, certificateArn } = props;
    const network = new IntakeNetwork(this, 'Network', { config });
    const { vpc } = network;
    const taskDefinition = this.#task(props);
    // Under exactOptionalPropertyTypes the CDK's own classes do not match their interfaces.
    const cluster = new Cluster(this, 'Cluster', { vpc }) as ICluster;
    const service = new FargateService(this, 'Service', {
      cluster,
      taskDefinition,
      // Its subnets have no other way to AWS; only the load balancer reaches it.
      assignPublicIp: true,
      minHealthyPercent: 100,
      circuitBreaker: { rollback: true },
      healthCheckGracePeriod: Duration.seconds(60),
    });
    // A task that starts before its network is complete, or before its roles have their rights, fails; some failures, and
    // the circuit breaker rolls the whole stack back.
    service.node.addDependency(network, taskDefinition.taskRole, taskDefinition.obtainExecutionRole());
    const scaling = service.autoScaleTaskCount({ minCapacity: 1, maxCapacity: MAX_TASKS });
    // Reading a page takes the processor and little else.
    scaling.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 60 });
    this.balancer = new IntakeBalancer(this, 'Balancer', { config, vpc, certificateArn, target: service, port: PORT });
    Validations.of(cluster).acknowledge({
      id: 'AwsSolutions-ECS4',
      reason: 'One service: its load, its log and the metrics of its load balancer say what Container Insights would.',
    });
  }

  #task({ config, environment, statements }: IntakeProps): FargateTaskDefinition {
    const task = new FargateTaskDefinition(this, 'Task', {
      cpu: UNITS_OF_ONE_CPU,
      memoryLimitMiB: MEMORY_MIB,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      taskRole: new Role(this, 'Role', {
        assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
        description: 'Rights of the container intake: those of the routes that it serves',
        inlinePolicies: { access: new PolicyDocument({ statements: [...statements] }) },
      }),
      volumes: [{ name: 'tmp' }],
    });
    const container = task.addContainer('intake', {
      // Built by `cdk deploy`; synthesis only takes its fingerprint, and needs no Docker.
      image: ContainerImage.fromAsset(repository, {
        file: intakeDockerfile,
        exclude: [...intakeFiles],
        platform: Platform.LINUX_ARM64,
        displayName: 'container intake',
      }),
      environment: { ...environment, PORT: String(PORT), MANY_AT_A_TIME: '1' },
      logging: LogDrivers.awsLogs({ logGroup: logGroup(this, 'Logs', config), streamPrefix: 'intake' }),
      portMappings: [{ containerPort: PORT }],
      readonlyRootFilesystem: true,
      linuxParameters: new LinuxParameters(this, 'Linux', { initProcessEnabled: true }),
      // Longer than a request takes, so that a deployment cuts none off.
      stopTimeout: Duration.seconds(30),
    });
    container.addMountPoints({ containerPath: '/tmp', sourceVolume: 'tmp', readOnly: false });
    this.#acknowledge(task);
    return task;
  }

  #acknowledge(task: FargateTaskDefinition): void {
    const acknowledge = (id: string, reason: string) => Validations.of(task).acknowledge({ id, reason });
    acknowledge('AwsSolutions-ECS2', 'The settings are names of resources: the service has no secret among them.');
    acknowledge('AwsSolutions-IAM5[Resource::*]', 'ecr:GetAuthorizationToken, to pull the image, knows no resources.');
  }
}
