import { join } from 'node:path';
import { ArnFormat, Stack, type StackProps } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, Code, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Service } from '../../functions/shared/function-id.ts';
import { handlerModule } from '../../functions/shared/handler-module.ts';
import { pathsOf, type Route } from '../../functions/shared/http/route.ts';
import type { QueueId } from '../../functions/shared/resources.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { hasAlias } from '../canary.ts';
import { commonEnvironment } from '../common-environment.ts';
import type { Config } from '../config.ts';
import { Alarms } from '../constructs/alarms.ts';
import { LiveAliases } from '../constructs/live-alias.ts';
import { QueueWork, type QueueWorkProps } from '../constructs/queue-work.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { ServiceLog } from '../constructs/service-log.ts';
import { acknowledgeWildcards } from '../grants/acknowledge.ts';
import type { Sources } from '../grants/grant.ts';
import { grantsOf } from '../grants/grants.ts';
import { functionName } from '../names.ts';
import { queueConcurrency } from '../queue-concurrency.ts';
import type { DataStack } from './data-stack.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: Config;
  /** Routes of this service. */
  readonly routes: readonly Route[];
  /** Folder of the functions' code, below it one for each. */
  readonly functionAssets: string;
  readonly version: string;
  readonly data: DataStack;
  readonly alarmTopic: ITopic;
}

/** The workers of a queue: for its messages, for those that failed too often, for what crashes and lost messages left behind. */
export interface QueueWorkers {
  readonly queue: QueueId;
  readonly work: Worker;
  readonly fail: Worker;
  readonly reconcile: Worker;
}

/**
 * The functions of one service, their log and their alarms. It exports nothing: the API finds functions by their names. A service with
 * workers, a layer or a pool has its own class.
 */
export class ServiceStack extends Stack {
  readonly service: Service;
  protected readonly alarms: Alarms;
  protected readonly props: ServiceStackProps;
  readonly #log: ServiceLog;
  #aliases: LiveAliases | undefined;

  constructor(scope: Construct, id: string, service: Service, props: ServiceStackProps) {
    const { config, terminationProtection } = props;
    super(scope, id, { ...(terminationProtection !== undefined && { terminationProtection }) });
    this.service = service;
    this.props = props;
    this.#log = new ServiceLog(this, 'Log', { config, service });
    this.alarms = new Alarms(this, 'Alarms', props.alarmTopic);
  }

  /**
   * Makes the functions of the routes.
   * @param granted the service's resources in addition to the data.
   */
  protected serveRoutes(granted: Partial<Pick<Sources, 'ocrLayer' | 'pool'>> = {}): void {
    for (const route of this.props.routes)
      this.#allowCalls(route, this.functionOf(route, `${route.method} ${route.path}`, granted));
  }

  /** @param more rights beyond those of the entry's `access`. */
  protected functionOf(
    entry: Route | Worker,
    description: string,
    granted: Partial<Pick<Sources, 'ocrLayer' | 'pool'>> = {},
    more: readonly PolicyStatement[] = [],
  ): LambdaFunction {
    const { config, data, version, functionAssets } = this.props;
    const sources: Sources = { stack: this, data, config, ocrLayer: null, pool: null, ...granted };
    const { statements, environment, layers, network, wildcards } = grantsOf(entry, sources);
    const construct = new ServiceFunction(this, entry.id.replaceAll('.', '-'), {
      limits: entry.limits,
      functionName: functionName(config, entry.id),
      description,
      code: Code.fromAsset(join(functionAssets, handlerModule(entry)), { exclude: ['**/*.map'] }),
      layers,
      environment: { ...environment, ...commonEnvironment(config, version) },
      statements: [...statements, ...more],
      logGroup: this.#log.logGroup,
      logLevel: config.logLevel,
      ...(network && { network }),
    });
    acknowledgeWildcards(construct, wildcards);
    return construct.function;
  }

  /**
   * Lets API Gateway call the function of a route, only for this route of this stage. Any API of the account may call: the id of ours is
   * known only after the functions exist.
   */
  #allowCalls(route: Route, target: LambdaFunction): void {
    this.#allowCallsOf(route, `${route.id.replaceAll('.', '-')}-calls`, target.functionArn);
    if (!hasAlias(route)) return;
    // The function keeps its permission: the API of an earlier release calls it until it is updated too.
    this.#aliases ??= new LiveAliases(this, 'Live', { config: this.props.config, service: this.service });
    const alias = this.#aliases.add(route.id.replaceAll('.', '-'), target);
    this.#allowCallsOf(route, `${route.id.replaceAll('.', '-')}-live-calls`, alias.functionArn);
  }

  #allowCallsOf(route: Route, id: string, functionName: string): void {
    for (const [place, path] of pathsOf(route).entries())
      new CfnPermission(this, `${id}${place === 0 ? '' : `-${place}`}`, {
        action: 'lambda:InvokeFunction',
        principal: 'apigateway.amazonaws.com',
        functionName,
        sourceArn: this.formatArn({
          service: 'execute-api',
          resource: '*',
          arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
          resourceName: `${this.props.config.stage}/${route.method}${path.replaceAll(/\{[^}]+\}/g, '*')}`,
        }),
      });
  }

  /** Runs the workers of a queue. */
  protected workQueue(
    id: string,
    { queue, ...workers }: QueueWorkers,
    granted: Partial<Pick<Sources, 'ocrLayer' | 'pool'>> = {},
  ): void {
    const functionOf = (worker: Worker) => this.functionOf(worker, worker.doc.summary, granted);
    this.consumeQueue(id, queue, {
      batchSize: workers.work.batchSize ?? 1,
      work: functionOf(workers.work),
      fail: functionOf(workers.fail),
      reconcile: { function: functionOf(workers.reconcile), summary: workers.reconcile.doc.summary },
    });
  }

  /** As `workQueue`, with functions that may serve other queues too. */
  protected consumeQueue(id: string, queue: QueueId, work: Omit<QueueWorkProps, 'queue' | 'concurrency'>): void {
    const { config, data } = this.props;
    new QueueWork(this, id, { queue: data.queues[queue], concurrency: queueConcurrency(config)[queue], ...work });
  }
}
