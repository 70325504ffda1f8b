import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpRequest } from '../../functions/shared/http/api-request.ts';
import { Deadline } from '../../functions/shared/http/deadline.ts';
import type {
  EndpointContext,
  HttpExchange,
  HttpMiddleware,
  Shared,
} from '../../functions/shared/http/http-middleware.ts';
import type { HttpResponse } from '../../functions/shared/http/reply.ts';
import { middy } from '../../functions/shared/middy.ts';

type Handle = (event: APIGatewayProxyEvent, context: EndpointContext) => Promise<HttpResponse>;

const OK: Handle = async () => ({ statusCode: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' });

interface Setting {
  /** By default it answers 200. */
  readonly handle?: Handle;
  readonly event?: Partial<APIGatewayProxyEvent>;
  readonly context?: Partial<EndpointContext>;
  /** Facts of middlewares that are not under test; by default a request, and a deadline that is far off. */
  readonly shared?: Partial<Shared>;
}

/** Runs middlewares, the outermost first, around a handler by middy, and gives the response and what they left for each other. */
export async function exchanged(
  middlewares: readonly HttpMiddleware[],
  { handle = OK, event = {}, context = {}, shared = {} }: Setting = {},
) {
  const deadline = new Deadline(60_000);
  const background = () => undefined;
  const { signal } = deadline;
  const request = { requestId: 'req-1', headers: {}, language: 'en', signal, background } as never as HttpRequest;
  const setUp = { deadline, request, background, ...shared };
  let internal: Shared | undefined;
  const seed: HttpMiddleware = {
    before(exchange) {
      internal = Object.assign(exchange.internal, setUp);
    },
  };
  const handler = [seed, ...middlewares].reduce(
    (framed, middleware) => framed.use(middleware),
    middy<HttpExchange, Handle>(handle),
  );
  try {
    const invocation = { awsRequestId: 'aws-1', getRemainingTimeInMillis: () => 60_000, ...context };
    const response = await handler({ headers: {}, ...event } as APIGatewayProxyEvent, invocation);
    return { response, internal: internal! };
  } finally {
    deadline.clear();
  }
}
