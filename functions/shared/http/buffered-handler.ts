import { executionModeStandard } from '@middy/core/Standard';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { EndpointContext, HttpMode } from './http-middleware.ts';
import type { Endpoint } from './pipeline.ts';
import type { WholeReply } from './reply.ts';

type BufferedHandler = (event: APIGatewayProxyEvent, context: EndpointContext) => Promise<APIGatewayProxyResult>;

/** The Lambda handler of an endpoint that answers in one piece, within API Gateway's 29 seconds. */
export function bufferedHandler(endpoint: Endpoint<WholeReply>): BufferedHandler {
  return endpoint(executionModeStandard as unknown as HttpMode<BufferedHandler>);
}
