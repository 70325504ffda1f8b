import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Endpoint, EndpointContext } from './pipeline.ts';
import { responseHead, type WholeReply } from './reply.ts';

/** The Lambda handler of an endpoint that answers in one piece, within API Gateway's 29 seconds. */
export function bufferedHandler(endpoint: Endpoint<WholeReply>) {
  return async (event: APIGatewayProxyEvent, context: EndpointContext): Promise<APIGatewayProxyResult> => {
    let result: APIGatewayProxyResult | undefined;
    await endpoint(event, context, async (response) => {
      result = { ...responseHead(response), body: response.body as string };
    });
    return result as APIGatewayProxyResult;
  };
}
