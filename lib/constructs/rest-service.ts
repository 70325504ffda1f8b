import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
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
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Route } from '../../functions/shared/http/route.ts';
import type { Config } from '../config.ts';
import { addGatewayResponses } from './gateway-responses.ts';

/** API Gateway gives up on a buffered response after 29 s, whatever the function does. */
const BUFFERED_TIMEOUT_SECONDS = 29;

export interface RestServiceProps {
  readonly config: Config;
  readonly routes: readonly { readonly route: Route; readonly function: LambdaFunction }[];
}

/** The regional REST API: one method a route, its function behind it. */
export class RestService extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, { config, routes }: RestServiceProps) {
    super(scope, id);
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: config.logRetentionDays,
      removalPolicy: config.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.api = new RestApi(this, 'Api', {
      restApiName: `tripod-${config.stage}`,
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
    for (const { route, function: handler } of routes)
      this.api.root.resourceForPath(route.path).addMethod(route.method, integration(route, handler));
    addGatewayResponses(this.api);
    this.#acknowledge(config);
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

function integration({ stream, limits }: Route, handler: LambdaFunction): LambdaIntegration {
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
