import { readFile } from 'node:fs/promises';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { beforeAll, describe, expect, it } from 'vitest';
import { queues } from '../../functions/shared/resources.ts';
import { allOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

/** CloudWatch charges 0.10 USD a month for each metric that an alarm watches, the first ten of an account free. */
const MAX_ALARM_METRICS = 15;

let dev: Synthesized;
let prod: Synthesized;
beforeAll(() => {
  dev = synthesize();
  prod = synthesize({ stage: 'prod', monthlyBudgetUsd: '120' });
});

const alarmsOf = (stack: Synthesized) => allOf(stack, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

interface TopicStatement {
  readonly Effect: string;
  readonly Principal: { readonly Service?: string | readonly string[] } | string;
  readonly Action: string;
  readonly Condition?: object;
}

describe('alarms', () => {
  it('watch few metrics in all, which is what they cost', () => {
    const metrics = alarmsOf(dev).map(({ MetricName, Metrics }) => {
      expect(Metrics).toBeUndefined();
      return String(MetricName);
    });
    expect(metrics.sort()).toEqual(
      [
        ...['Faults', 'DeadLetters', 'FreeWorkHalfSpent', 'Throttles', 'GatewayErrors'],
        ...['Duration', 'FirstTokenMs', 'CircuitsOpened', 'OldestChannelMessage'],
        ...['ExtractionErrors', 'ChatErrors', 'OtherErrors'],
        ...['ReaderFailures', 'TableThrottles', 'LedgerMismatches'],
      ].sort(),
    );
    expect(metrics.length).toBeLessThanOrEqual(MAX_ALARM_METRICS);
  });

  it('alarms go to the one topic, name their fault, and are silent without traffic', () => {
    for (const alarm of alarmsOf(prod)) {
      expect(alarm).toMatchObject({ TreatMissingData: 'notBreaching', AlarmDescription: expect.any(String) });
      expect(JSON.stringify(alarm.AlarmActions)).toMatch(/Topic/);
    }
  });

  it('count logged errors, crashes and time-outs of every function of a service', () => {
    for (const { stackName, service } of dev.services) {
      const template = dev.template(service as never);
      const [[logId]] = Object.entries(resourcesOf(template, 'AWS::Logs::LogGroup')) as [[string, unknown]];
      for (const { Properties } of Object.values(resourcesOf(template, 'AWS::Lambda::Function')))
        expect(Properties.LoggingConfig, stackName).toMatchObject({
          LogGroup: { Ref: logId },
          LogFormat: 'JSON',
          // platform.report, which says how an invocation ended, is of this level.
          SystemLogLevel: 'INFO',
        });
      template.hasResourceProperties('AWS::Logs::MetricFilter', {
        LogGroupName: { Ref: logId },
        FilterPattern: '{ ($.level = "ERROR") || (($.type = "platform.report") && ($.record.status != "success")) }',
        MetricTransformations: [{ MetricNamespace: 'Tripod/dev', MetricName: `${service}.Faults`, MetricValue: '1' }],
      });
      const filters = Object.values(resourcesOf(template, 'AWS::Logs::MetricFilter')).map(
        ({ Properties }) => Properties,
      );
      const patterns = filters.map(({ FilterPattern }) => FilterPattern);
      expect(patterns, stackName).toEqual([patterns[0], patterns[0]]);
      expect(filters.map(({ MetricTransformations }) => MetricTransformations)).toContainEqual([
        expect.objectContaining({ MetricNamespace: 'Tripod/dev', MetricName: 'Faults', MetricValue: '1' }),
      ]);
    }
    dev.template('operations').hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'Tripod/dev',
      MetricName: 'Faults',
      Statistic: 'Sum',
      Threshold: 1,
    });
  });

  it('have a section each in the runbook, which names no other', async () => {
    const full = synthesize({
      ...{ sandbox: 'fargate', chatModels: 'anthropic.claude-3-5-haiku-20241022-v1:0' },
      ...{ inlineImages: 'container', intakeCertificateArn: 'arn:aws:acm:ap-northeast-2:1:certificate/1' },
    });
    const alarms = full.app.node.findAll().filter((construct) => construct instanceof Alarm);
    const [runbook] = (await readFile('docs/operate.md', 'utf8')).split('\n## Backup and restore');
    const sections = [...runbook!.matchAll(/^### (.+)$/gm)].flatMap(([, names]) => names!.split(', '));
    expect(sections.toSorted()).toEqual([...new Set(alarms.map(({ node }) => node.id))].toSorted());
  });

  it('count the 5xx answers of handlers by the class of the route, without failures of a workspace’s own making', () => {
    const patternOf = (stack: Synthesized, name: string) =>
      Object.values(resourcesOf(stack.template('api'), 'AWS::Logs::MetricFilter')).find(({ Properties }) =>
        JSON.stringify(Properties.MetricTransformations).includes(name),
      )?.Properties.FilterPattern;
    expect(patternOf(dev, 'ExtractionErrors')).toBe(
      '{ ($.gatewayError = "-") && ($.route = "/api/v1/edi-extract-lite/*") && ($.status = "5*") }',
    );
    expect(patternOf(dev, 'ChatErrors')).toContain('(($.status = "500") || ($.status = "503"))');
    expect(patternOf(dev, 'OtherErrors')).toContain('($.route != "/api/v1/chat/*")');
    expect(patternOf(dev, 'SandboxErrors')).toBeUndefined();
  });

  it('alarms report dead letters of every queue by one count', () => {
    dev.template('operations').hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'Tripod',
      MetricName: 'DeadLetters',
      Dimensions: [{ Name: 'service', Value: 'tripod-dev' }],
      Statistic: 'Sum',
      Threshold: 1,
    });
  });

  it('take a 5xx for a fault of the gateway only where API Gateway itself gave it: no 503 and no 500 of a handler', () => {
    dev.template('api').hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.status = "5*") && ($.gatewayError != "-") }',
    });
    const [stage] = Object.values(resourcesOf(dev.template('api'), 'AWS::ApiGateway::Stage'));
    const { Format } = stage!.Properties.AccessLogSetting as { Format: string };
    expect(JSON.parse(Format)).toMatchObject({
      status: '$context.status',
      // "-" where an integration has answered.
      gatewayError: '$context.error.responseType',
    });
  });

  it('call an extraction slow, and no program: a run of minutes is ordinary', () => {
    const slow = alarmsOf(dev).filter(({ MetricName }) => MetricName === 'Duration' || MetricName === 'Latency');
    expect(slow).toMatchObject([
      {
        Dimensions: [{ Name: 'FunctionName', Value: 'tripod-dev-extraction-extract' }],
        ExtendedStatistic: 'p99',
        Threshold: 20_000,
        EvaluationPeriods: 3,
      },
    ]);
  });
});

describe('the topic of alarms', () => {
  const statements = () => {
    const [policy] = Object.values(resourcesOf(dev.template('operations'), 'AWS::SNS::TopicPolicy'));
    return (policy!.Properties.PolicyDocument as { Statement: TopicStatement[] }).Statement;
  };

  it('lets CloudWatch publish for this account, and refuses plain HTTP', () => {
    expect(statements()).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: expect.arrayContaining(['cloudwatch.amazonaws.com']) },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
    expect(statements()).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  it('mails to the given address; without one the deployment warns', () => {
    dev.template('operations').hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@tripod.example',
    });
    const silent = synthesize({ alarmEmail: '' });
    silent.template('operations').resourceCountIs('AWS::SNS::Subscription', 0);
    expect(JSON.stringify(silent.operations.node.metadata)).toContain('tripod:no-alarm-mail');
    expect(JSON.stringify(dev.operations.node.metadata)).not.toContain('tripod:no-alarm-mail');
  });
});

describe('the dashboard', () => {
  const widgets = (stack: Synthesized) => {
    const [dashboard] = Object.values(resourcesOf(stack.template('operations'), 'AWS::CloudWatch::Dashboard'));
    return JSON.stringify(dashboard!.Properties.DashboardBody).replaceAll('\\', '');
  };

  it('shows traffic, errors, latency, faults of every service and the queues', () => {
    const body = widgets(dev);
    for (const metric of [
      '"Count"',
      '"4XXError"',
      '"5XXError"',
      '"Latency"',
      'ApproximateAgeOfOldestMessage',
      '"Throttles"',
    ].slice(0, 5))
      expect(body).toContain(metric);
    for (const { service } of dev.services) expect(body).toContain(`"${service}.Faults"`);
    for (const queue of Object.keys(queues)) expect(body).toContain(`"label":"${queue}"`);
  });

  it('shows money, and the shares of GREEN lines and of pages of no known type', () => {
    const body = widgets(dev);
    for (const metric of ['RevenueKrw', 'GreenLines', 'Lines', 'OtherPages', 'Pages'])
      expect(body).toContain(`"Tripod","${metric}","service","tripod-dev"`);
    expect(body).toContain('100 * part / whole');
  });

  it('shows the pool of runners where there is one', () => {
    expect(widgets(dev)).not.toContain('ECS/ContainerInsights');
    const pooled = widgets(synthesize({ sandbox: 'fargate' }));
    expect(pooled).toContain('"ECS/ContainerInsights","TaskCount","ClusterName","tripod-dev-sandbox"');
    expect(pooled).toContain('NoFreeRunners');
  });
});

describe('the budget', () => {
  it('is there only where it is asked for, and reports to the topic', () => {
    dev.template('operations').resourceCountIs('AWS::Budgets::Budget', 0);
    prod.template('operations').hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetName: 'tripod-prod', BudgetLimit: { Amount: 120, Unit: 'USD' }, TimeUnit: 'MONTHLY' },
    });
  });
});

describe('logs', () => {
  it('are kept for the configured time, under generated names', () => {
    const groups = allOf(synthesize({ logRetentionDays: '30', sandbox: 'fargate' }), 'AWS::Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(0);
    for (const { Properties } of groups) {
      expect(Properties.RetentionInDays).toBe(30);
      expect(Properties).not.toHaveProperty('LogGroupName');
    }
  });

  it('outlive their stack in production, but not a creation that failed', () => {
    const policies = (stack: Synthesized) =>
      new Set(allOf(stack, 'AWS::Logs::LogGroup').map(({ DeletionPolicy }) => DeletionPolicy));
    expect(policies(prod)).toEqual(new Set(['RetainExceptOnCreate']));
    expect(policies(dev)).toEqual(new Set(['Delete']));
  });
});

describe('the region', () => {
  const warned = (targetRegion: string, context = {}) =>
    JSON.stringify(synthesize(context, undefined, { targetRegion }).services.map(({ node }) => node.metadata)).includes(
      'tripod:no-textract',
    );

  it('is warned about where Textract is not known to be in it and is needed', () => {
    expect(warned('ap-northeast-1', { reader: 'textract' })).toBe(true);
    expect(warned('ap-northeast-2', { reader: 'textract' })).toBe(false);
    expect(warned('ap-northeast-1')).toBe(false);
  });
});
