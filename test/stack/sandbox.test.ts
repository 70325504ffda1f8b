import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { workers } from '../../functions/workers.ts';
import { tripodApp } from '../../lib/tripod-app.ts';
import {
  allOf,
  appProps,
  functionOf,
  type Resource,
  resourcesOf,
  type Synthesized,
  synthesize,
} from './synthesized.ts';

const CONTEXT = { sandbox: 'fargate' };

let stack: Synthesized;
beforeAll(() => {
  stack = synthesize(CONTEXT);
});

const all = (type: string): [string, Resource][] => Object.entries(resourcesOf(stack.template('sandbox'), type));
const only = (type: string) => {
  const found = all(type);
  expect(found, type).toHaveLength(1);
  return found[0]![1].Properties;
};

const RUNNERS = /SandboxNetworkRunners/;
const FUNCTIONS = /SandboxNetworkFunctions/;
const ENDPOINTS = /SandboxNetworkEndpoints/;
const idOf = (reference: unknown): string => /\["([^"]+)"/.exec(JSON.stringify(reference))?.[1] ?? '';

/** `<from or to> <port>` of every rule of the groups with matching ids, inline or as separate resources. */
function rulesOf(group: RegExp, direction: 'Ingress' | 'Egress'): string[] {
  const beside = all(`AWS::EC2::SecurityGroup${direction}`).filter(([, { Properties }]) =>
    group.test(idOf(Properties.GroupId)),
  );
  const inside = all('AWS::EC2::SecurityGroup')
    .filter(([id]) => group.test(id))
    .flatMap(([, { Properties }]) => (Properties[`SecurityGroup${direction}`] as Record<string, unknown>[]) ?? []);
  return [...beside.map(([, { Properties }]) => Properties), ...inside]
    .map(({ SourceSecurityGroupId, DestinationSecurityGroupId, DestinationPrefixListId, CidrIp, FromPort, ToPort }) => {
      expect(FromPort).toBe(ToPort);
      const peer = CidrIp ?? idOf(SourceSecurityGroupId ?? DestinationSecurityGroupId ?? DestinationPrefixListId);
      return `${peer} ${FromPort}`;
    })
    .sort();
}

describe('the pool of runners', () => {
  it('is there only where it is asked for', () => {
    const without = synthesize();
    for (const type of ['AWS::ECS::Service', 'AWS::EC2::VPC']) expect(allOf(without, type)).toEqual([]);
    expect(JSON.stringify(allOf(without, 'AWS::SecretsManager::Secret'))).not.toContain('runners');
    for (const { Properties } of allOf(without, 'AWS::Lambda::Function'))
      expect(JSON.stringify(Properties)).not.toMatch(/SANDBOX|VpcConfig/);
  });

  it.each([
    [{ sandbox: 'lambda' }, 'sandbox'],
    [{ ...CONTEXT, sandboxMinIdle: 0 }, 'sandboxMinIdle'],
    [{ ...CONTEXT, sandboxMinIdle: 5, sandboxMaxSize: 4 }, 'raise sandboxMaxSize or lower sandboxMinIdle'],
  ])('refuses %o', (context, message) => {
    expect(() => synthesize(context)).toThrow(message);
  });

  it('has no finding of cdk-nag', () => {
    expect(new AwsSolutionsChecks().validateScope(stack.app).violations).toEqual([]);
  });
});

describe('its network', () => {
  it('has no way to the internet', () => {
    for (const type of [
      'AWS::EC2::InternetGateway',
      'AWS::EC2::NatGateway',
      'AWS::EC2::EgressOnlyInternetGateway',
      'AWS::EC2::Route',
    ])
      expect(all(type)).toEqual([]);
    for (const [, { Properties }] of all('AWS::EC2::Subnet')) expect(Properties.MapPublicIpOnLaunch).toBe(false);
    expect(only('AWS::ECS::Service')).toMatchObject({
      NetworkConfiguration: {
        AwsvpcConfiguration: {
          AssignPublicIp: 'DISABLED',
          SecurityGroups: [{ 'Fn::GetAtt': [expect.stringMatching(RUNNERS), 'GroupId'] }],
          Subnets: [{ Ref: expect.stringMatching(/runnersSubnet1/) }, { Ref: expect.stringMatching(/runnersSubnet2/) }],
        },
      },
    });
  });

  it('lets the functions alone reach a runner, and a runner reach what starts it', () => {
    expect(rulesOf(RUNNERS, 'Ingress')).toEqual([expect.stringMatching(/^SandboxNetworkFunctions\w+ 8080$/)]);
    expect(rulesOf(RUNNERS, 'Egress')).toEqual([
      expect.stringMatching(/^SandboxNetworkEndpoints\w+ 443$/),
      expect.stringMatching(/^SandboxNetworks3Addresses\w+ 443$/),
    ]);
    expect(rulesOf(FUNCTIONS, 'Ingress')).toEqual([]);
    expect(rulesOf(FUNCTIONS, 'Egress')).toEqual([
      expect.stringMatching(/^SandboxNetworkEndpoints\w+ 443$/),
      expect.stringMatching(/^SandboxNetworkRunners\w+ 8080$/),
      expect.stringMatching(/^SandboxNetworkdynamodbAddresses\w+ 443$/),
      expect.stringMatching(/^SandboxNetworks3Addresses\w+ 443$/),
    ]);
    expect(rulesOf(ENDPOINTS, 'Ingress')).toEqual([
      expect.stringMatching(/^SandboxNetworkFunctions\w+ 443$/),
      expect.stringMatching(/^SandboxNetworkRunners\w+ 443$/),
    ]);
    expect(all('AWS::EC2::SecurityGroup')).toHaveLength(3);
  });

  it('leads to DynamoDB from the functions alone, to S3 for two buckets, and to nothing else', () => {
    const endpoints = all('AWS::EC2::VPCEndpoint').map(([, { Properties }]) => Properties);
    const named = (service: string) =>
      endpoints.find(({ ServiceName }) => JSON.stringify(ServiceName).includes(`.${service}"`))!;
    const interfaces = endpoints.filter(({ VpcEndpointType }) => VpcEndpointType === 'Interface');
    expect(interfaces.map(({ ServiceName }) => /"\.([\w.]+)"/.exec(JSON.stringify(ServiceName))?.[1]).sort()).toEqual([
      'ecr.api',
      'ecr.dkr',
      'logs',
      'secretsmanager',
      'sqs',
    ]);
    for (const { SecurityGroupIds } of interfaces) expect(idOf(SecurityGroupIds)).toMatch(ENDPOINTS);
    expect(JSON.stringify(named('dynamodb').RouteTableIds)).not.toContain('runnersSubnet');
    const { Statement } = named('s3').PolicyDocument as {
      Statement: { Action: string | string[]; Resource: unknown }[];
    };
    expect(Statement.map(({ Action, Resource }) => [Action, JSON.stringify(Resource)])).toEqual([
      ['s3:GetObject', expect.stringContaining('-starport-layer-bucket/*')],
      [['s3:DeleteObject', 's3:GetObject', 's3:PutObject'], expect.stringContaining('executionsbucket')],
    ]);
    expect(endpoints).toHaveLength(interfaces.length + 2);
  });

  it('knows the names that are needed and no others, so that none carries a secret out', () => {
    expect(only('AWS::Route53Resolver::FirewallRuleGroup').FirewallRules).toEqual([
      expect.objectContaining({
        Action: 'ALLOW',
        Priority: 1,
        FirewallDomainListId: { 'Fn::GetAtt': [expect.stringContaining('Needed'), 'Id'] },
      }),
      {
        Action: 'BLOCK',
        BlockResponse: 'NXDOMAIN',
        Priority: 2,
        FirewallDomainListId: { 'Fn::GetAtt': [expect.stringContaining('All'), 'Id'] },
      },
    ]);
    const lists = all('AWS::Route53Resolver::FirewallDomainList').map(([, { Properties }]) => Properties.Domains);
    expect(lists).toContainEqual(['*']);
    const needed = lists.find((domains) => !JSON.stringify(domains).includes('["*"]')) as unknown[];
    for (const domain of needed) expect(JSON.stringify(domain)).toContain('"Ref":"AWS::URLSuffix"');
    expect(needed).toHaveLength(8);
    const [vpcId] = all('AWS::EC2::VPC')[0]!;
    expect(only('AWS::Route53Resolver::FirewallRuleGroupAssociation').VpcId).toEqual({ Ref: vpcId });
  });
});

it('starts tasks when its network is complete and its role may start them', () => {
  const [[, service]] = all('AWS::ECS::Service') as [[string, Resource]];
  const before = new Set(service.DependsOn);
  const needed = [
    ...['AWS::EC2::VPCEndpoint', 'AWS::EC2::SecurityGroupIngress', 'AWS::EC2::SecurityGroupEgress'],
    ...['AWS::Route53Resolver::FirewallRuleGroupAssociation', 'AWS::EC2::SubnetRouteTableAssociation'],
  ].flatMap((type) => all(type).map(([id]) => id));
  expect(needed.length).toBeGreaterThan(10);
  for (const id of needed) expect(before, id).toContain(id);
  const { ExecutionRoleArn } = only('AWS::ECS::TaskDefinition');
  const policies = all('AWS::IAM::Policy').filter(([, { Properties }]) =>
    JSON.stringify(Properties.Roles).includes(idOf(ExecutionRoleArn)),
  );
  expect(policies.length).toBeGreaterThan(0);
  for (const [id] of policies) expect(before, id).toContain(id);
});

it('lets its functions reach the tables that they use, and no others', () => {
  const dynamodb = all('AWS::EC2::VPCEndpoint').find(([, { Properties }]) =>
    JSON.stringify(Properties.ServiceName).includes('.dynamodb"'),
  )!;
  const { Statement } = dynamodb[1].Properties.PolicyDocument as { Statement: [{ Resource: unknown[] }] };
  const tables = Statement[0].Resource.map((arn) => /Att(\w+?)table/.exec(JSON.stringify(arn))?.[1]);
  expect(tables.sort()).toEqual(['accounts', 'executions', 'limits', 'runners', 'usage']);
});

describe('a task', () => {
  it('has no role, and what starts it may read its image and its token, and write its log', () => {
    const task = only('AWS::ECS::TaskDefinition');
    expect(task).not.toHaveProperty('TaskRoleArn');
    const ofTasks = all('AWS::IAM::Role').filter(([, { Properties }]) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes('ecs-tasks'),
    );
    expect(ofTasks.map(([id]) => id)).toEqual([idOf(task.ExecutionRoleArn)]);
    const policies = all('AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties.Roles).includes(idOf(task.ExecutionRoleArn)),
    );
    const actions = policies.flatMap(([, { Properties }]) =>
      (Properties.PolicyDocument as { Statement: { Action: string | string[] }[] }).Statement.flatMap(
        ({ Action }) => Action,
      ),
    );
    expect(new Set(actions)).toEqual(
      new Set([
        'ecr:BatchCheckLayerAvailability',
        'ecr:BatchGetImage',
        'ecr:GetAuthorizationToken',
        'ecr:GetDownloadUrlForLayer',
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        'secretsmanager:DescribeSecret',
        'secretsmanager:GetSecretValue',
      ]),
    );
  });

  it('is as large as the largest run, read-only but for its memory disk, and has five capabilities', () => {
    const { ContainerDefinitions, Cpu, Memory, RuntimePlatform, Volumes } = only('AWS::ECS::TaskDefinition');
    expect({ Cpu, Memory, RuntimePlatform, Volumes }).toEqual({
      Cpu: '2048',
      Memory: '4096',
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
      Volumes: undefined,
    });
    const [container] = ContainerDefinitions as [Record<string, unknown>];
    expect(container).toMatchObject({
      ReadonlyRootFilesystem: true,
      Secrets: [{ Name: 'RUNNER_TOKEN', ValueFrom: { Ref: expect.stringMatching(/^SandboxToken/) } }],
      StopTimeout: 120,
      HealthCheck: { Command: ['CMD', '/app/health.sh'] },
      Ulimits: [{ Name: 'nofile', SoftLimit: 65_536, HardLimit: 65_536 }],
      LinuxParameters: {
        InitProcessEnabled: true,
        Tmpfs: ['/programs', '/tmp'].map((ContainerPath) => ({
          ContainerPath,
          Size: 1100,
          MountOptions: ['exec', 'nosuid', 'nodev'],
        })),
      },
    });
    expect(container).not.toHaveProperty('Environment');
    expect(container).not.toHaveProperty('Privileged');
    const { Capabilities } = container.LinuxParameters as { Capabilities: { Add?: string[]; Drop: string[] } };
    expect(Capabilities.Add).toBeUndefined();
    // Docker's default ones.
    const all =
      'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID SETPCAP SETUID SYS_CHROOT';
    expect(all.split(' ').filter((each) => !Capabilities.Drop.includes(each))).toEqual([
      ...['CHOWN', 'DAC_OVERRIDE', 'KILL', 'SETGID', 'SETUID'],
    ]);
  });

  it('is replaced when it ends, and never ended for the sake of balance; how many there are is not a deployment’s business', () => {
    const service = only('AWS::ECS::Service');
    expect(service).toMatchObject({
      LaunchType: 'FARGATE',
      AvailabilityZoneRebalancing: 'DISABLED',
      DeploymentConfiguration: {
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      },
    });
    expect(service).not.toHaveProperty('DesiredCount');
    expect(only('AWS::ECS::Cluster').ClusterSettings).toEqual([{ Name: 'containerInsights', Value: 'enabled' }]);
  });
});

describe('the functions', () => {
  const made = (id: string) => functionOf(stack, { id: id as Route['id'] })!;

  it('that speak to runners are in the network, and no others', () => {
    const inside = [...routes, ...workers]
      .filter(({ id }) => made(id).properties.VpcConfig !== undefined)
      .map(({ id }) => id);
    expect(inside.sort()).toEqual([
      'sandbox.execute',
      'sandbox.execute-batch',
      'sandbox.execute-request',
      'sandbox.process-execution',
      'sandbox.register-runner',
      'sandbox.remove-session',
      'sandbox.run-program',
    ]);
    for (const { id } of [...routes, ...workers].filter((entry) => inside.includes(entry.id))) {
      const { VpcConfig, Environment } = made(id).properties as {
        VpcConfig: { SecurityGroupIds: unknown[] };
        Environment: { Variables: Record<string, unknown> };
      };
      expect(VpcConfig.SecurityGroupIds.map(idOf), id).toEqual([expect.stringMatching(FUNCTIONS)]);
      expect(Environment.Variables, id).toMatchObject({
        SANDBOX: 'fargate',
        RUNNERS_TABLE: expect.anything(),
        RUNNER_TOKEN_SECRET: { Ref: expect.stringMatching(/^SandboxToken/) },
        AWS_ACCOUNT_ID_ENDPOINT_MODE: 'disabled',
      });
    }
  });

  it('that only know what can be run have no token', () => {
    for (const id of ['sandbox.list-languages', 'sandbox.execute-async']) {
      const { Variables } = made(id).properties.Environment as { Variables: Record<string, unknown> };
      expect(Variables).toMatchObject({ SANDBOX: 'fargate', RUNNERS_TABLE: expect.anything() });
      expect(Variables).not.toHaveProperty('RUNNER_TOKEN_SECRET');
    }
  });

  it('hear of every task of the pool, and tend it once a minute', () => {
    const rules = all('AWS::Events::Rule').map(([, { Properties }]) => Properties);
    const targets = ({ Targets }: Readonly<Record<string, unknown>>) =>
      (Targets as { Arn: unknown }[]).map(({ Arn }) => idOf(Arn));
    const heard = rules.find(({ EventPattern }) => EventPattern !== undefined)!;
    expect(heard.EventPattern).toMatchObject({
      source: ['aws.ecs'],
      'detail-type': ['ECS Task State Change'],
      detail: { clusterArn: [{ 'Fn::GetAtt': [expect.stringMatching(/^SandboxCluster/), 'Arn'] }] },
    });
    expect(targets(heard)).toEqual([made('sandbox.register-runner').id]);
    const minutely = rules.find(({ ScheduleExpression }) => ScheduleExpression === 'rate(1 minute)')!;
    expect(targets(minutely)).toEqual([made('sandbox.reconcile-pool').id]);
    const { Variables } = made('sandbox.reconcile-pool').properties.Environment as {
      Variables: Record<string, unknown>;
    };
    expect(Variables).toMatchObject({ RUNNERS_MIN_IDLE: '2', RUNNERS_MAX_SIZE: '20' });
  });
});

it('raises alarms when programs find no runner, and when none is free for minutes', () => {
  for (const MetricName of ['SandboxMisses', 'NoFreeRunners'])
    stack.template('sandbox').hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName, Namespace: 'Tripod' });
});

it('is synthesized without Docker, and its image is built from the listed files alone', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'tripod-sandbox-stack-'));
  const path = process.env.PATH;
  try {
    const props = appProps(temporary, CONTEXT);
    const { app } = tripodApp(props);
    // Not found on the path: who calls it fails.
    process.env.PATH = temporary;
    app.synth();
    const staged = join(
      props.outdir!,
      readdirSync(props.outdir!).find((name) => existsSync(join(props.outdir!, name, 'sandbox/Dockerfile')))!,
    );
    expect(readdirSync(staged).sort()).toEqual(
      ['.npmrc', 'functions', 'package-lock.json', 'package.json', 'sandbox'].sort(),
    );
    expect(readdirSync(join(staged, 'functions'))).toEqual(['sandbox']);
  } finally {
    process.env.PATH = path;
    rmSync(temporary, { recursive: true });
  }
});
