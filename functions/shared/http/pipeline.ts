import { middy } from '../middy.ts';
import type { ApiRequest } from './api-request.ts';
import { type Authenticator, authenticatorsOf } from './authenticate.ts';
import type { Deadline } from './deadline.ts';
import type { HttpMode } from './http-middleware.ts';
import { type AdmissionPorts, admission } from './middleware/admission.ts';
import { background } from './middleware/background.ts';
import { cors } from './middleware/cors.ts';
import { deadline } from './middleware/deadline.ts';
import { delivery } from './middleware/delivery.ts';
import { httpEventNormalizer } from './middleware/http-event-normalizer.ts';
import { type LimitsPorts, limits } from './middleware/limits.ts';
import { type ProblemPorts, problems } from './middleware/problems.ts';
import { requestId } from './middleware/request-id.ts';
import { requestLog } from './middleware/request-log.ts';
import { inServerSpan, tracing } from './middleware/tracing.ts';
import { httpResponse, type Reply } from './reply.ts';
import type { Route } from './route.ts';

/** Dependencies of a route's pipeline. Each factory is called once, and only if the route needs its product. */
export interface PipelinePorts<R extends Route, Loaded extends object = object>
  extends AdmissionPorts<R, Loaded>,
    LimitsPorts,
    ProblemPorts {
  /** One for every credential that the route accepts. */
  readonly authenticators: { readonly [C in R['auth'][number]]: () => Authenticator };
  /** Origins of other sites whose pages may read responses; by default none. */
  readonly corsOrigins?: () => readonly string[];
}

/** A route's whole way from event to response, as a function for an execution mode of Lambda. */
export interface Endpoint<A extends Reply = Reply> {
  <Handler>(mode: HttpMode<Handler>): Handler;
  /** For types alone: what it may reply, since not every mode can write a stream. */
  readonly replies?: A;
}

/**
 * The path of every request. Hooks `before` run from top to bottom, `after` and `onError` from bottom to top. The log line and the wait for
 * background work come after the last byte, also of a stream.
 */
export function pipeline<const R extends Route, A extends Reply, Loaded extends object = object>(
  route: R,
  ports: PipelinePorts<R, Loaded>,
  run: (request: ApiRequest<R> & Loaded) => Promise<A>,
): Endpoint<A> {
  const authenticators = authenticatorsOf(route, ports.authenticators);
  const handle = async (request: ApiRequest<R> & Loaded, { deadline }: { readonly deadline: Deadline }) =>
    httpResponse(await deadline.race(run(request)));
  return (mode) =>
    middy(handle, inServerSpan(route, mode))
      .use(tracing())
      .use(requestLog(route))
      .use(deadline())
      .use(background())
      .use(delivery())
      .use(httpEventNormalizer())
      .use(requestId())
      .use(cors(authenticators, ports.corsOrigins))
      .use(limits(route, ports))
      .use(problems(route, ports))
      .use(admission(route, authenticators, ports));
}
