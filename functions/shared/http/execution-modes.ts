import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { EndpointContext, HttpMode, Send } from './http-middleware.ts';
import { LambdaStream } from './lambda-stream.ts';

type StreamHandler = ReturnType<typeof awslambda.streamifyResponse<APIGatewayProxyEvent>>;

/** Serves a request by a response stream. @param run all of its steps, which give the response to `send`. */
export type Serve = (stream: LambdaStream, run: (send: Send) => Promise<unknown>) => Promise<unknown>;

/** For response streams of Lambda. Unlike middy's own mode it notices that the client has gone away, and `serve` can send early. */
export function streamed(serve: Serve): HttpMode<StreamHandler> {
  return ({ middyRequest, runRequest }, ...steps) =>
    awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, raw, context) => {
      const stream = new LambdaStream(raw, context);
      await serve(stream, (send) => {
        const exchange = middyRequest(event, stream.context);
        exchange.internal.send = send;
        return runRequest(exchange, ...steps);
      });
    });
}

/** An endpoint that another function of the process calls, and whose response it passes on. */
export type DirectEndpoint = (event: APIGatewayProxyEvent, context: EndpointContext, send: Send) => Promise<void>;

export const direct: HttpMode<DirectEndpoint> =
  ({ middyRequest, runRequest }, ...steps) =>
  async (event, context, send) => {
    const exchange = middyRequest(event, context);
    exchange.internal.send = send;
    await runRequest(exchange, ...steps);
  };
