import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import { CORS_REQUEST_HEADERS, isOpenToPages, PREFLIGHT_MAX_AGE_SECONDS } from '../../functions/shared/http/cors.ts';
import { pathsOf, type Route } from '../../functions/shared/http/route.ts';
import type { Config } from '../config.ts';
import { deploymentName, functionName } from '../names.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { logGroup } from './log-group.ts';
import { logMetric } from './log-metric.ts';

/** API Gateway gives up on a buffered response after 29 s, whatever the function does. */
const BUFFERED_TIMEOUT_SECONDS = 29;

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
  readonly api: RestApi;
  /**
   * The account's role for the logs of API Gateway, REST and WebSocket alike: in an account that has none, no stage with
   * access logs can be made before it.
   */
  readonly logAccount: IConstruct;
  /** Not the 5xx that handlers answer: a 503 that asks to try again, or a 500 of a program that ran too long, is no fault. */
  readonly gatewayErrors: Metric;

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
    this.api = new RestApi(this, 'Api', {
      restApiName: deploymentName(config),
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
    this.#answerPreflights(config.corsOrigins, routes);
    for (const route of routes) {
      const integrated = integration(route, this.#functionOf(route.id, config));
      for (const path of pathsOf(route)) this.api.root.resourceForPath(path).addMethod(route.method, integrated);
    }
    addGatewayResponses(this.api, config.corsOrigins);
    this.#acknowledge(config);
  }

  /** API Gateway answers what a browser asks before it sends, on each path with its own methods. */
  #answerPreflights(corsOrigins: readonly string[], routes: readonly Route[]): void {
    const served = routes.flatMap((route) => pathsOf(route).map((path) => ({ path, route })));
    for (const [path, ofPath] of Map.groupBy(served, (each) => each.path)) {
      const allowOrigins = ofPath.some(({ route }) => isOpenToPages(route)) ? ['*'] : [...corsOrigins];
      if (allowOrigins.length === 0) continue;
      this.api.root.resourceForPath(path).addCorsPreflight({
        allowOrigins,
        allowMethods: ofPath.map(({ route }) => route.method),
        allowHeaders: [...CORS_REQUEST_HEADERS],
        maxAge: Duration.seconds(PREFLIGHT_MAX_AGE_SECONDS),
      });
    }
  }

  #functionOf(id: string, config: Config): IFunction {
    const resourceName = functionName(config, id);
    return LambdaFunction.fromFunctionAttributes(this, id, {
      functionArn: Stack.of(this).formatArn({
        service: 'lambda',
        resource: 'function',
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        resourceName,
      }),
      // The permission for API Gateway lies beside the function: the API's stack has little room.
      skipPermissions: true,
    });
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

function integration({ stream, limits }: Route, handler: IFunction): LambdaIntegration {
  if (stream)
    return new LambdaIntegration(handler, {
      allowTestInvoke: false,
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: Duration.seconds(limits.timeoutSeconds),
    });
  return new LambdaIntegration(handler, {
    allowTestInvoke: false,
    timeout: Duration.seconds(Math.min(limits.timeoutSeconds, BUFFERED_TIMEOUT_SECONDS)),
  });
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
