import { randomUUID } from 'node:crypto';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { ApiKeyRecord, ApiKeys } from '../../accounts/domain/authenticate.ts';
import { DynamoApiKeys } from '../../adapters/accounts/dynamo-api-keys.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../environment.ts';
import { logger } from '../logging.ts';
import { type ApiRequest, type ApiResponse, baseUrlOf, type Caller, headersOf, requestIdOf } from './api-request.ts';
import { admit, noteUse } from './authentication.ts';
import { parseInput } from './parse-input.ts';
import { Problem } from './problem.ts';
import type { ProblemPresenter } from './problem-body.ts';
import type { Route } from './route.ts';

export interface ServiceManners {
  readonly presentProblem: ProblemPresenter;
  /** The problem that one of the service's own errors is to the caller; null for anything unexpected. */
  readonly problemOf?: (error: unknown) => Problem | null;
}

/** What the middlewares of one request hand on to each other and to the handler. */
interface Progress {
  readonly requestId: string;
  readonly startedMs: number;
  readonly deadlineMs: number;
  caller: Caller | null;
  input: object;
  /** Work beside the request; Lambda freezes what is still running when the answer is out. */
  aside: Promise<unknown>;
}

type ApiContext = Context & { progress: Progress };
type ApiMiddleware = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, ApiContext>;

/** So much of the function's time is kept for a proper answer that time has run out. */
const TIMEOUT_RESERVE_MS = 300;

/**
 * The Lambda handler of a route: key, scope, input, then `run`, then an answer in JSON. Whatever is thrown becomes the
 * service's error body; the unexpected is logged and told as nothing but a request id.
 */
export function apiHandler<R extends Route>(
  route: R,
  manners: ServiceManners,
  run: (request: ApiRequest<R>) => Promise<ApiResponse>,
) {
  const options = {
    timeoutEarlyInMillis: TIMEOUT_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new Problem(504, 'timeout', 'The request took too long and was given up. Send it again, or a smaller one.');
    },
  };
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, ApiContext>(options)
    .use(answering(route, manners))
    .use(admitting(route))
    .use(parsing(route))
    .handler(async (event, { progress }) => {
      const { requestId, deadlineMs, caller, input } = progress;
      const { path } = event;
      const baseUrl = baseUrlOf(event);
      const response = await run({ requestId, path, baseUrl, deadlineMs, caller, ...input } as ApiRequest<R>);
      return proxyResult(response);
    });
}

/** First in, last out: the request id, the error body, the log line. */
function answering(route: Route, { presentProblem, problemOf }: ServiceManners): ApiMiddleware {
  const finish = async (context: ApiContext, result: APIGatewayProxyResult): Promise<APIGatewayProxyResult> => {
    const { requestId, startedMs, caller, aside } = context.progress;
    await aside.catch((error: unknown) => logger().warn('Work beside a request failed', { requestId, error }));
    logger().info('request', {
      requestId,
      route: route.id,
      status: result.statusCode,
      durationMs: Math.round(performance.now() - startedMs),
      ...(caller && { workspaceId: caller.workspaceId, keyId: caller.keyId }),
    });
    return { ...result, headers: { ...result.headers, 'x-request-id': requestId } };
  };
  return {
    before({ event, context }) {
      context.progress = {
        requestId: requestIdOf(event, context.awsRequestId ?? randomUUID()),
        startedMs: performance.now(),
        deadlineMs: systemClock.now() + context.getRemainingTimeInMillis() - TIMEOUT_RESERVE_MS,
        caller: null,
        input: {},
        aside: Promise.resolve(),
      };
    },
    async after(request) {
      request.response = await finish(request.context, request.response as APIGatewayProxyResult);
    },
    async onError(request) {
      const { error, context } = request;
      const { requestId } = context.progress;
      const problem = error instanceof Problem ? error : (problemOf?.(error) ?? unexpected(error, route, requestId));
      const { status, headers } = problem;
      request.response = await finish(
        context,
        proxyResult({ status, headers, body: presentProblem(problem, requestId) }),
      );
    },
  };
}

function unexpected(error: unknown, route: Route, requestId: string): Problem {
  logger().error('Unexpected error', { requestId, route: route.id, error: error as Error });
  return new Problem(
    500,
    'internal_error',
    `Something went wrong on our side. Quote the request id ${requestId} when you ask us about it.`,
  );
}

function admitting(route: Route): ApiMiddleware {
  let keys: ApiKeys | undefined;
  return {
    async before({ event, context }) {
      if (route.auth === 'none') return;
      keys ??= new DynamoApiKeys(dynamoClient(), environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE);
      const record = await admit(headersOf(event), route, keys);
      context.progress.caller = callerOf(record);
      context.progress.aside = noteUse(record, keys, systemClock);
      // Heard at the end of the request; until then a failure must not count as unhandled.
      context.progress.aside.catch(() => undefined);
    },
  };
}

function parsing(route: Route): ApiMiddleware {
  return {
    before({ event, context }) {
      context.progress.input = parseInput(route, event);
    },
  };
}

function callerOf({ workspaceId, id, scopes }: ApiKeyRecord): Caller {
  return { workspaceId, keyId: id, scopes };
}

function proxyResult({ status, body, headers }: ApiResponse): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: { ...(body && { 'content-type': 'application/json' }), 'cache-control': 'no-store', ...headers },
    body: body ? JSON.stringify(body) : '',
  };
}
