import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes, specification1Routes } from '../../functions/routes.ts';
import { tripodApp } from '../../lib/tripod-app.ts';
import { allOf, appProps, functionOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

const CONTEXT = { inlineImages: 'container', intakeCertificateArn: 'arn:aws:acm:ap-northeast-2:1:certificate/1' };

let stack: Synthesized;
beforeAll(() => {
  stack = synthesize(CONTEXT);
});

const only = (type: string) => {
  const found = Object.values(resourcesOf(stack.template('api'), type));
  expect(found, type).toHaveLength(1);
  return found[0]!.Properties;
};

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** One line for each right, conditions included. */
function rightsOf(role: Readonly<Record<string, unknown>>): string[] {
  const policies = role.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap(({ Action, Resource, Condition }) =>
      [Action]
        .flat()
        .flatMap((action) =>
          [Resource].flat().map((resource) => JSON.stringify([action, resource, Condition ?? null])),
        ),
    ),
  );
}

const rolesAssumedBy = (service: string) =>
  Object.values(resourcesOf(stack.template('api'), 'AWS::IAM::Role'))
    .map(({ Properties }) => Properties)
    .filter((role) => JSON.stringify(role.AssumeRolePolicyDocument).includes(service));

describe('the container intake', () => {
  it('is there only where it is asked for', () => {
    const without = synthesize();
    for (const type of ['AWS::ECS::Service', 'AWS::EC2::VPC', 'AWS::ElasticLoadBalancingV2::LoadBalancer'])
      expect(allOf(without, type)).toEqual([]);
  });

  it('needs a certificate', () => {
    expect(() => synthesize({ inlineImages: 'container' })).toThrow('intakeCertificateArn');
    expect(() => synthesize({ ...CONTEXT, inlineImages: 'everything' })).toThrow('inlineImages');
  });

  it('speaks HTTPS only, and hides nothing of a request that could be read in two ways', () => {
    expect(only('AWS::ElasticLoadBalancingV2::Listener')).toMatchObject({
      Port: 443,
      Protocol: 'HTTPS',
      Certificates: [{ CertificateArn: CONTEXT.intakeCertificateArn }],
      SslPolicy: expect.stringContaining('TLS13'),
    });
    const { LoadBalancerAttributes } = only('AWS::ElasticLoadBalancingV2::LoadBalancer');
    expect(LoadBalancerAttributes).toEqual(
      expect.arrayContaining([
        { Key: 'routing.http.drop_invalid_header_fields.enabled', Value: 'true' },
        { Key: 'routing.http.desync_mitigation_mode', Value: 'strictest' },
        { Key: 'access_logs.s3.enabled', Value: 'true' },
      ]),
    );
    // The gateway takes the last address of X-Forwarded-For for the client's: appending is the default, port and all else off.
    expect(JSON.stringify(LoadBalancerAttributes)).not.toContain('xff');
  });

  it('lets clients reach the load balancer, and the load balancer alone reach the container', () => {
    const groups = Object.values(resourcesOf(stack.template('api'), 'AWS::EC2::SecurityGroup'));
    const open = groups.flatMap(({ Properties }) => (Properties.SecurityGroupIngress as object[] | undefined) ?? []);
    expect(open).toMatchObject([{ CidrIp: '0.0.0.0/0', FromPort: 443, ToPort: 443, IpProtocol: 'tcp' }]);
    expect(only('AWS::EC2::SecurityGroupIngress')).toMatchObject({
      FromPort: 8080,
      ToPort: 8080,
      SourceSecurityGroupId: { 'Fn::GetAtt': [expect.stringMatching(/^IntakeBalancerGroup/), 'GroupId'] },
    });
    expect(resourcesOf(stack.template('api'), 'AWS::EC2::NatGateway')).toEqual({});
  });

  it('runs on arm64, with a read-only root, and with the settings of the routes that it serves', () => {
    const { ContainerDefinitions, RuntimePlatform, Cpu, Memory } = only('AWS::ECS::TaskDefinition');
    expect({ RuntimePlatform, Cpu, Memory }).toEqual({
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
      Cpu: '1024',
      Memory: '4096',
    });
    const [container] = ContainerDefinitions as [{ Environment: { Name: string }[] }];
    expect(container).toMatchObject({
      ReadonlyRootFilesystem: true,
      LogConfiguration: { LogDriver: 'awslogs' },
      MountPoints: [{ ContainerPath: '/tmp', ReadOnly: false }],
      StopTimeout: 30,
    });
    const names = container.Environment.map(({ Name }) => Name);
    for (const name of [
      'ACCOUNTS_TABLE',
      'EXTRACTIONS_TABLE',
      'IDEMPOTENCY_TABLE',
      'DRUG_MASTER',
      'READER',
      'LOG_LEVEL',
    ])
      expect(names).toContain(name);
    expect(container.Environment).toContainEqual({ Name: 'MANY_AT_A_TIME', Value: '1' });
    // Its models are where the repository has them, and it is not a local service.
    expect(names).not.toContain('OCR_DIR');
    expect(names).not.toContain('TRIPOD_LOCAL');
  });

  it('may do what the functions of its routes may do together, and nothing else', () => {
    const tasks = rolesAssumedBy('ecs-tasks.amazonaws.com').filter(({ Policies }) => Policies !== undefined);
    expect(tasks).toHaveLength(1);
    const ofRoutes = specification1Routes.flatMap((route) =>
      rightsOf(functionOf(stack, route)!.role).filter((right) => !right.startsWith('["logs:')),
    );
    expect(new Set(rightsOf(tasks[0]!))).toEqual(new Set(ofRoutes));
  });

  it('serves all of the routes, as long as there is specification 1 alone', () => {
    expect(specification1Routes.every((route) => routes.includes(route))).toBe(true);
    expect(specification1Routes.map(({ id }) => id.split('.')[0])).toEqual(
      expect.arrayContaining(['system', 'accounts', 'extraction']),
    );
  });

  it('grows with its load, and is healthy as long as it answers', () => {
    expect(only('AWS::ApplicationAutoScaling::ScalableTarget')).toMatchObject({ MinCapacity: 1, MaxCapacity: 4 });
    expect(only('AWS::ElasticLoadBalancingV2::TargetGroup')).toMatchObject({
      HealthCheckPath: '/api/v1/health',
      Matcher: { HttpCode: '200,503' },
      Port: 8080,
    });
    expect(only('AWS::ECS::Service')).toMatchObject({
      DeploymentConfiguration: {
        MinimumHealthyPercent: 100,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      },
    });
  });

  it('starts when its network is complete and its roles have their rights', () => {
    const [service] = Object.values(resourcesOf(stack.template('api'), 'AWS::ECS::Service'));
    const before = new Set(service!.DependsOn);
    for (const type of ['AWS::EC2::VPCEndpoint', 'AWS::EC2::Route', 'AWS::EC2::SubnetRouteTableAssociation']) {
      const ids = Object.keys(resourcesOf(stack.template('api'), type));
      expect(ids.length, type).toBeGreaterThan(0);
      for (const id of ids) expect(before, id).toContain(id);
    }
    const [role] = Object.entries(resourcesOf(stack.template('api'), 'AWS::IAM::Role')).find(
      ([, { Properties }]) => Properties.Policies !== undefined && JSON.stringify(Properties).includes('ecs-tasks'),
    )!;
    expect(before).toContain(role);
    const policies = Object.keys(resourcesOf(stack.template('api'), 'AWS::IAM::Policy')).filter((id) =>
      /ExecutionRole/.test(id),
    );
    expect(policies.length).toBeGreaterThan(0);
    for (const id of policies) expect(before, id).toContain(id);
  });

  it('raises alarms', () => {
    for (const AlarmDescription of ['The container intake answers 5xx', 'A container of the intake does not answer'])
      stack.template('api').hasResourceProperties('AWS::CloudWatch::Alarm', { AlarmDescription });
  });

  it('the intake has a separate firewall, if any, which passes large bodies', () => {
    const { template } = synthesize({ ...CONTEXT, waf: 'true' });
    expect(Object.keys(resourcesOf(template('api'), 'AWS::WAFv2::WebACLAssociation'))).toHaveLength(2);
    const acls = Object.values(resourcesOf(template('api'), 'AWS::WAFv2::WebACL'));
    const ruleNames = acls.map(({ Properties }) => (Properties.Rules as { Name: string }[]).map(({ Name }) => Name));
    expect(ruleNames).toContainEqual(['requests-per-address', 'common']);
    expect(ruleNames).toContainEqual(['body-too-large', 'requests-per-address', 'common']);
  });

  it('has no finding of cdk-nag', () => {
    expect(new AwsSolutionsChecks().validateScope(stack.app).violations).toEqual([]);
  });
});

describe('its image', () => {
  let temporary: string;
  beforeAll(() => {
    temporary = mkdtempSync(join(tmpdir(), 'tripod-intake-stack-'));
  });
  afterAll(() => rmSync(temporary, { recursive: true }));

  it('is built from the listed files alone, at deployment: synthesis needs no Docker', () => {
    const props = appProps(temporary, CONTEXT);
    const { app } = tripodApp(props);
    // Not found on the path: who calls it fails.
    const path = process.env.PATH;
    process.env.PATH = temporary;
    try {
      app.synth();
    } finally {
      process.env.PATH = path;
    }
    const staged = readdirSync(props.outdir!).find((name) =>
      existsSync(join(props.outdir!, name, 'intake/Dockerfile')),
    );
    expect(staged).toBeDefined();
    const folder = join(props.outdir!, staged!);
    expect(readdirSync(folder).sort()).toEqual(
      ['.npmrc', 'functions', 'gateway', 'intake', 'layers', 'package-lock.json', 'package.json'].sort(),
    );
    expect(readdirSync(join(folder, 'layers'))).toEqual(['ocr']);
  });

  it('is made from a pinned base, and runs as a user without rights', () => {
    const dockerfile = readFileSync('intake/Dockerfile', 'utf8');
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=\S+:24\.\d+\.\d+-\S+$/m);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^CMD \["node", "intake\/main\.ts"\]$/m);
  });
});
