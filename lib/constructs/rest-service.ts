import { ArnFormat, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import type { Route } from '../../functions/shared/http/route.ts';
import { hasAlias, LIVE_ALIAS } from '../canary.ts';
import type { Config } from '../config.ts';
import { deploymentName, functionName } from '../names.ts';
import { apiDefinition } from './api-definition.ts';
import { handlerErrorFilters } from './handler-errors.ts';
import { logGroup } from './log-group.ts';
import { logMetric } from './log-metric.ts';

/** Name of the metric of 5xx answers that API Gateway gives by itself. */
export const GATEWAY_ERRORS = 'GatewayErrors';

export interface RestServiceProps {
  readonly config: Config;
  readonly routes: readonly Route[];
}

/**
 * The regional REST API: one method a route, its function behind it. Functions are found by their names: an exported ARN
 * could not be dropped with its route, since the API would still use it when the service's stack is updated.
 */
export class RestService extends Construct {
  readonly api: SpecRestApi;
  /**
   * The account's role for the logs of API Gateway, REST and WebSocket alike: in an account that has none, no stage with
   * access logs can be made before it.
   */
  readonly logAccount: IConstruct;
  /** Not the 5xx that handlers answer: a 503 that asks to try again, or a 500 of a program that ran too long, is not a fault. */
  readonly gatewayErrors: Metric;
  /** 5xx answers of handlers, by the class of their routes. */
  readonly handlerErrors: ReadonlyMap<string, Metric>;

  constructor(scope: Construct, id: string, { config, routes }: RestServiceProps) {
    super(scope, id);
    const accessLog = logGroup(this, 'AccessLog', config);
    this.gatewayErrors = logMetric(this, 'GatewayErrors', {
      config,
      logGroup: accessLog,
      metricName: GATEWAY_ERRORS,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '5*'),
        FilterPattern.stringValue('$.gatewayError', '!=', '-'),
      ),
    });
    this.handlerErrors = new Map(
      [...handlerErrorFilters(config)].map(([metricName, filterPattern]) => [
        metricName,
        logMetric(this, metricName, { config, logGroup: accessLog, metricName, filterPattern }),
      ]),
    );
    const name = deploymentName(config);
    const definition = apiDefinition(routes, {
      title: name,
      corsOrigins: config.corsOrigins,
      invocationArn: (route, streamed) => this.#invocationArn(route, config, streamed),
    });
    this.api = new SpecRestApi(this, 'Api', {
      restApiName: name,
      apiDefinition: ApiDefinition.fromInline(definition),
      // With a custom name, no other address leads to the API and bypasses its certificate and firewall.
      disableExecuteApiEndpoint: config.domainName !== undefined,
      // An edge-optimised API cuts a stream off after 30 idle seconds.
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // The account's role for API Gateway's logs; it serves other APIs too, so it stays.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: config.stage,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: accessLogFormat(),
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        tracingEnabled: false,
        throttlingRateLimit: config.requestsPerSecond,
        throttlingBurstLimit: config.requestBurst,
      },
    });
    this.logAccount = this.api.node.findChild('Account');
    this.#acknowledge(config);
  }

  /** Of a function, found by its name. Its permission for API Gateway is in the same stack. */
  #invocationArn(route: Route, config: Config, streamed: boolean): string {
    const stack = Stack.of(this);
    const functionArn = stack.formatArn({
      service: 'lambda',
      resource: 'function',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      resourceName: `${functionName(config, route.id)}${hasAlias(route) ? `:${LIVE_ALIAS}` : ''}`,
    });
    const [version, call] = streamed ? ['2021-11-15', 'response-streaming-invocations'] : ['2015-03-31', 'invocations'];
    return `arn:${stack.partition}:apigateway:${stack.region}:lambda:path/${version}/functions/${functionArn}/${call}`;
  }

  #acknowledge({ waf }: Config): void {
    const acknowledge = (id: string, reason: string) => Validations.of(this.api).acknowledge({ id, reason });
    acknowledge('AwsSolutions-APIG2', 'Handlers check every request against the schemas of the route table.');
    acknowledge('AwsSolutions-APIG4', 'Handlers check API keys: an authorizer would add a call and cannot answer 402.');
    acknowledge('AwsSolutions-COG4', 'Callers are programs with API keys, not users of a Cognito pool.');
    acknowledge(
      'AwsSolutions-APIG6',
      'Execution logs hold headers and bodies, keys and sheets among them; functions log.',
    );
    acknowledge(
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      'The managed policy that API Gateway asks for, to write its logs.',
    );
    if (!waf)
      acknowledge('AwsSolutions-APIG3', 'WAF costs a monthly fee: switched on with the context value waf=true.');
  }
}

/** One JSON line a request. No query string, no header, no id out of the path: nothing that is or gives away a secret. */
function accessLogFormat(): AccessLogFormat {
  return AccessLogFormat.custom(
    JSON.stringify({
      time: AccessLogField.contextRequestTimeEpoch(),
      requestId: AccessLogField.contextRequestId(),
      method: AccessLogField.contextHttpMethod(),
      route: AccessLogField.contextResourcePath(),
      status: AccessLogField.contextStatus(),
      sourceIp: AccessLogField.contextIdentitySourceIp(),
      responseBytes: AccessLogField.contextResponseLength(),
      latencyMs: AccessLogField.contextResponseLatency(),
      integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
      gatewayError: AccessLogField.contextErrorResponseType(),
    }),
  );
}
