import { Annotations, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { deliverNoticesWorker } from '../../functions/accounts/workers.ts';
import { failImageWorker, processImageWorker, reconcileJobsWorker } from '../../functions/extraction/workers.ts';
import { specification1Routes } from '../../functions/routes.ts';
import {
  failExecutionWorker,
  processExecutionWorker,
  reconcileExecutionsWorker,
  reconcilePoolWorker,
  registerRunnerWorker,
} from '../../functions/sandbox/workers.ts';
import { handlerModule } from '../../functions/shared/handler-module.ts';
import type { QueueId, Route } from '../../functions/shared/http/route.ts';
import { METRICS_NAMESPACE } from '../../functions/shared/metric-names.ts';
import type { BucketId } from '../../functions/shared/resources.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { bedrockModelArns } from '../bedrock-model-arns.ts';
import type { Config } from '../config.ts';
import { Alarms } from '../constructs/alarms.ts';
import { Firewall } from '../constructs/firewall.ts';
import { Intake } from '../constructs/intake.ts';
import { NoticeDelivery, readStreamStatement } from '../constructs/notice-delivery.ts';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { QueueWork } from '../constructs/queue-work.ts';
import { RestService } from '../constructs/rest-service.ts';
import { SandboxPool } from '../constructs/sandbox-pool.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { mapValues } from '../map-values.ts';
import { grantAccess } from '../route-access.ts';
import type { DataStack } from './data-stack.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: Config;
  readonly routes: readonly Route[];
  /** The bundle of every route's handler. */
  readonly code: Code;
  readonly version: string;
  readonly data: DataStack;
}

/** Queues must leave the account's concurrency to the calls that wait for an answer. */
const EXECUTIONS_AT_A_TIME = 20;

/** What runs: a function for every route and worker, the API in front of them, and the alarms. Holds no data. */
export class ServiceStack extends Stack {
  readonly functions: Readonly<Record<Route['id'], LambdaFunction>>;
  readonly #serviceName: string;
  readonly #ocr: OcrLayer;
  readonly #pool: SandboxPool | null;
  readonly #props: ServiceStackProps;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const { config, routes, data } = props;
    this.#props = props;
    this.#serviceName = `tripod-${config.stage}`;
    this.#ocr = new OcrLayer(this, 'Ocr');
    this.#pool =
      config.sandbox === 'fargate'
        ? new SandboxPool(this, 'Sandbox', { config, tables: data.tables, executions: data.buckets.executions })
        : null;

    const served = routes.map((route) => ({
      route,
      function: this.#functionOf(route, `${route.method} ${route.path}`),
    }));
    this.functions = {
      ...Object.fromEntries(served.map(({ route, function: handler }) => [route.id, handler])),
      ...this.#noticeDelivery(),
      ...this.#queueWork('BatchWork', 'batch-images', config.batchConcurrency, [
        processImageWorker,
        failImageWorker,
        reconcileJobsWorker,
      ]),
      ...this.#queueWork('ExecutionWork', 'executions', EXECUTIONS_AT_A_TIME, [
        processExecutionWorker,
        failExecutionWorker,
        reconcileExecutionsWorker,
      ]),
      ...this.#poolWork(),
    };

    const { api } = new RestService(this, 'Rest', { config, routes: served });
    const alarms = new Alarms(this, 'Alarms', {
      api,
      functions: this.functions,
      deadLetters: mapValues(data.queues, ({ deadLetters }) => deadLetters),
      serviceName: this.#serviceName,
      email: config.alarmEmail,
    });
    this.#pool?.watchedBy(alarms);
    if (config.waf) new Firewall(this, 'Firewall', { resourceArn: api.deploymentStage.stageArn, endsAtLambda: true });
    if (config.intakeCertificateArn && config.inlineImages === 'container')
      this.#addIntake(config.intakeCertificateArn, alarms);

    new CfnOutput(this, 'Url', { value: api.url, description: 'Base address of the API' });
    if (config.domainName && config.certificateArn) {
      const domain = api.addDomainName('Domain', {
        domainName: config.domainName,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', config.certificateArn),
        securityPolicy: SecurityPolicy.TLS_1_2,
      });
      new CfnOutput(this, 'DomainTarget', {
        value: domain.domainNameAliasDomainName,
        description: `Point ${config.domainName} at this name (CNAME or alias)`,
      });
    }
  }

  /** Without a sender there is no e-mail: notices then wait until they expire. */
  #noticeDelivery(): Record<string, LambdaFunction> {
    const { config, data } = this.#props;
    if (config.mailFrom === undefined) {
      Annotations.of(this).addWarningV2(
        'tripod:no-mail',
        'Low-balance e-mails are not sent: name their sender with -c mailFrom=…, an address that SES has verified.',
      );
      return {};
    }
    const { accounts } = data.tables;
    const worker = deliverNoticesWorker;
    const deliver = this.#functionOf(worker, worker.doc.summary, [readStreamStatement(accounts)]);
    new NoticeDelivery(this, 'NoticeDelivery', { accounts, deliver });
    return { [worker.id]: deliver };
  }

  /** The workers of a queue: one for its messages, one for those that failed too often, one for what was left behind. */
  #queueWork(
    id: string,
    queue: QueueId,
    concurrency: number,
    workers: readonly [Worker, Worker, Worker],
  ): Record<string, LambdaFunction> {
    const [work, fail, reconcile] = workers.map((worker) => this.#functionOf(worker, worker.doc.summary)) as [
      LambdaFunction,
      LambdaFunction,
      LambdaFunction,
    ];
    const reconciles = workers[2].doc.summary;
    new QueueWork(this, id, { queue: this.#props.data.queues[queue], concurrency, work, fail, reconcile, reconciles });
    return { [workers[0].id]: work, [workers[1].id]: fail, [workers[2].id]: reconcile };
  }

  #poolWork(): Record<string, LambdaFunction> {
    if (this.#pool === null) return {};
    const [note, tend] = [registerRunnerWorker, reconcilePoolWorker].map((worker) =>
      this.#functionOf(worker, worker.doc.summary),
    ) as [LambdaFunction, LambdaFunction];
    this.#pool.runWorkers({ note, tend });
    return { [registerRunnerWorker.id]: note, [reconcilePoolWorker.id]: tend };
  }

  #addIntake(certificateArn: string, alarms: Alarms): void {
    const { config, data } = this.#props;
    const granted = specification1Routes.map((route) => grantAccess(route, data, config));
    // The layer's folder: the image has the models where the repository has them.
    const { OCR_DIR, ...environment } = Object.assign({}, ...granted.map((each) => each.environment));
    const intake = new Intake(this, 'Intake', {
      config,
      certificateArn,
      environment: { ...environment, ...this.#commonEnvironment() },
      statements: granted.flatMap(({ statements }) => statements),
    });
    for (const route of specification1Routes) this.#acknowledgeWildcards(intake, route, data);
    const { loadBalancer } = intake.balancer;
    intake.balancer.watchedBy(alarms);
    if (config.waf)
      new Firewall(this, 'IntakeFirewall', { resourceArn: loadBalancer.loadBalancerArn, endsAtLambda: false });
    new CfnOutput(this, 'IntakeTarget', {
      value: loadBalancer.loadBalancerDnsName,
      description: 'Point the name of the intake’s certificate at this name (CNAME or alias)',
    });
  }

  #commonEnvironment(): Record<string, string> {
    return {
      LOG_LEVEL: this.#props.config.logLevel,
      SERVICE_VERSION: this.#props.version,
      POWERTOOLS_SERVICE_NAME: this.#serviceName,
      POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    };
  }

  #functionOf(entry: Route | Worker, description: string, more: readonly PolicyStatement[] = []): LambdaFunction {
    const { config, data, code } = this.#props;
    const name = entry.id.replaceAll('.', '-');
    const { statements, environment } = grantAccess(entry, data, config);
    const pool = entry.access.runners === undefined ? undefined : this.#pool?.access(entry.access.runners);
    const construct = new ServiceFunction(this, name, {
      module: handlerModule(entry),
      limits: entry.limits,
      functionName: `${this.#serviceName}-${name}`,
      description,
      code,
      layers: entry.access.ocr ? [this.#ocr.layer] : [],
      environment: { ...environment, ...pool?.environment, ...this.#commonEnvironment() },
      statements: [...statements, ...(pool?.statements ?? []), ...more],
      network: pool?.network ?? null,
      logRetentionDays: config.logRetentionDays,
      keepLogs: config.isProduction,
    });
    this.#acknowledgeWildcards(construct, entry, data);
    return construct.function;
  }

  #acknowledgeWildcards(construct: Construct, { access }: Pick<Route, 'access'>, data: DataStack): void {
    const acknowledge = (finding: string, reason: string) =>
      Validations.of(construct).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason });
    for (const id of Object.keys(data.buckets) as BucketId[]) {
      if (access[id] === undefined) continue;
      const imported = this.resolve(data.exportValue(data.buckets[id].bucketArn)) as { 'Fn::ImportValue': string };
      acknowledge(`Resource::${imported['Fn::ImportValue']}/*`, 'The names of the objects are not known beforehand.');
    }
    if (access.textract) acknowledge('Resource::*', 'Textract has no resources: its rights are for all or none.');
    if (access.runners) this.#pool?.acknowledgeWildcards(construct, access.runners);
    const { bedrockModel } = this.#props.config;
    if (access.ocr && bedrockModel !== undefined)
      for (const arn of bedrockModelArns(bedrockModel, this).filter((each) => each.includes(':*:')))
        acknowledge(
          `Resource::${arn.replace(/^arn:[^:]*:/, 'arn:<AWS::Partition>:')}`,
          'An inference profile chooses the region; the model is one.',
        );
  }
}
