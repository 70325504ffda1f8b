import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnApi,
  DomainName,
  LogGroupLogDestination,
  SecurityPolicy,
  WebSocketApi,
  WebSocketStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IConstruct } from 'constructs';
import { socketWorkers } from '../../functions/chat/workers.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import type { Config } from '../config.ts';
import { deploymentName, functionName } from '../names.ts';
import { logGroup } from './log-group.ts';

export interface SocketApiProps {
  readonly config: Config;
  /** The account's role for access logs: the stage must be made after it. */
  readonly logAccount: IConstruct;
}

/** The WebSocket API of chat. As the REST API it finds its functions by their names. */
export class SocketApi extends Construct {
  /** `wss://…` */
  readonly url: string;
  /** Target of the DNS record of the API's own name; null where it has none. */
  readonly domainTarget: string | null;

  constructor(scope: Construct, id: string, { config, logAccount }: SocketApiProps) {
    super(scope, id);
    const { $connect, $disconnect, $default } = socketWorkers;
    const optionsFor = (worker: Worker) => ({
      integration: new WebSocketLambdaIntegration(worker.id, this.#functionOf(worker.id, config)),
    });
    const webSocketApi = new WebSocketApi(this, 'Api', {
      apiName: `${deploymentName(config)}-sockets`,
      connectRouteOptions: optionsFor($connect),
      disconnectRouteOptions: optionsFor($disconnect),
      defaultRouteOptions: optionsFor($default),
    });
    const { socketDomainName: name, socketCertificateArn: certificate } = config;
    const domainName =
      name && certificate
        ? new DomainName(this, 'Domain', {
            domainName: name,
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate),
            securityPolicy: SecurityPolicy.TLS_1_2,
          })
        : null;
    // With a custom name, no other address leads to the API.
    if (domainName) (webSocketApi.node.defaultChild as CfnApi).disableExecuteApiEndpoint = true;
    const stage = new WebSocketStage(this, 'Stage', {
      webSocketApi,
      stageName: config.stage,
      autoDeploy: true,
      ...(domainName && { domainMapping: { domainName } }),
      throttle: { rateLimit: config.requestsPerSecond, burstLimit: config.requestBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup(this, 'AccessLog', config)),
        format: accessLogFormat(),
      },
    });
    stage.node.addDependency(logAccount);
    this.url = domainName === null ? stage.url : `wss://${name}`;
    this.domainTarget = domainName?.regionalDomainName ?? null;
    Validations.of(webSocketApi).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The function of $connect checks credentials, and each message is checked again.',
    });
  }

  #functionOf(id: string, config: Config): IFunction {
    return LambdaFunction.fromFunctionAttributes(this, id, {
      functionArn: Stack.of(this).formatArn({
        service: 'lambda',
        resource: 'function',
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        resourceName: functionName(config, id),
      }),
      // The permission for API Gateway is added here, in the API's stack.
      sameEnvironment: true,
    });
  }
}

/** One JSON line an event: no query string, which holds a token, and no message. */
function accessLogFormat(): AccessLogFormat {
  return AccessLogFormat.custom(
    JSON.stringify({
      time: AccessLogField.contextRequestTimeEpoch(),
      requestId: AccessLogField.contextRequestId(),
      route: '$context.routeKey',
      status: AccessLogField.contextStatus(),
      sourceIp: AccessLogField.contextIdentitySourceIp(),
      connectionId: '$context.connectionId',
      error: '$context.integrationErrorMessage',
    }),
  );
}
