import { Duration, Validations } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Capability,
  type CfnTaskDefinition,
  ContainerImage,
  CpuArchitecture,
  Secret as EcsSecret,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
  TmpfsMountOption,
  UlimitName,
} from 'aws-cdk-lib/aws-ecs';
import { Role } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { RUNNER_PORT } from '../../functions/adapters/runner/ecs-runner-tasks.ts';
import type { Config } from '../config.ts';
import { repository } from '../packaging/paths.ts';
import { sandboxDockerfile, sandboxFiles } from '../packaging/sandbox-image.ts';
import { RUNNER_TASK } from '../runner-task.ts';
import { logGroup } from './log-group.ts';

const DISK_MIB = 1100;
/** Where programs lie (RUNNER_DIRECTORY in sandbox/Dockerfile): only root can write above them. */
const PROGRAMS = '/programs';

/** Docker's default ones but those that the launcher needs: CHOWN, DAC_OVERRIDE, KILL, SETGID, SETUID. */
const UNNEEDED = [
  Capability.AUDIT_WRITE,
  Capability.FOWNER,
  Capability.FSETID,
  Capability.MKNOD,
  Capability.NET_BIND_SERVICE,
  Capability.NET_RAW,
  Capability.SETFCAP,
  Capability.SETPCAP,
  Capability.SYS_CHROOT,
];

export interface SandboxTaskProps {
  readonly config: Config;
  /** The secret by which the runner authenticates its dispatcher. */
  readonly token: ISecret;
}

/** One runner. Programs run as users without any right; the runner is root, with what it takes to start and end them. */
export class SandboxTask extends Construct {
  readonly task: FargateTaskDefinition;

  constructor(scope: Construct, id: string, { config, token }: SandboxTaskProps) {
    super(scope, id);
    this.task = new FargateTaskDefinition(this, 'Definition', {
      cpu: RUNNER_TASK.cpuUnits,
      memoryLimitMiB: RUNNER_TASK.memoryMib,
      // The CDK gives every task a role. Without one there are no credentials in it that a program could find.
      taskRole: Role.fromRoleName(this, 'NoRole', 'none', { mutable: false }),
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
    });
    const definition = this.task.node.defaultChild as CfnTaskDefinition;
    definition.addPropertyDeletionOverride('TaskRoleArn');
    const linuxParameters = new LinuxParameters(this, 'Linux', { initProcessEnabled: true });
    linuxParameters.dropCapabilities(...UNNEEDED);
    // Go programs are linked and executed in place. The used space of both directories together counts towards the limit of the run.
    for (const containerPath of [PROGRAMS, '/tmp'])
      linuxParameters.addTmpfs({
        containerPath,
        size: DISK_MIB,
        mountOptions: [TmpfsMountOption.EXEC, TmpfsMountOption.NOSUID, TmpfsMountOption.NODEV],
      });
    const container = this.task.addContainer('runner', {
      // Built by `cdk deploy`; synthesis only takes its fingerprint, and needs no Docker.
      image: ContainerImage.fromAsset(repository, {
        file: sandboxDockerfile,
        exclude: [...sandboxFiles],
        platform: Platform.LINUX_ARM64,
        displayName: 'sandbox runner',
      }),
      // From the role that starts the task, which nothing inside of it has.
      secrets: { RUNNER_TOKEN: EcsSecret.fromSecretsManager(token) },
      logging: LogDrivers.awsLogs({ logGroup: logGroup(this, 'Logs', config), streamPrefix: 'runner' }),
      portMappings: [{ containerPort: RUNNER_PORT }],
      readonlyRootFilesystem: true,
      linuxParameters,
      healthCheck: {
        command: ['CMD', '/app/health.sh'],
        interval: Duration.seconds(10),
        timeout: Duration.seconds(5),
        retries: 3,
        startPeriod: Duration.seconds(30),
      },
      // As long as Fargate waits: the program under way may end, but for those of more than two minutes.
      stopTimeout: Duration.seconds(120),
    });
    // The only limit that Fargate lets be set; the launcher sets the others for each program.
    container.addUlimits({ name: UlimitName.NOFILE, softLimit: 65_536, hardLimit: 65_536 });
    Validations.of(this.task).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'ecr:GetAuthorizationToken, to pull the image, knows no resources.',
    });
  }
}
