import type { Access } from './access.ts';
import type { FunctionId } from './function-id.ts';
import type { Route, RouteLimits } from './http/route.ts';

/** A function that no request calls. What runs it is said by the stack on AWS, and by the service in local mode. */
export interface Worker {
  /** Stable name, `service.verb-noun`; names the Lambda function, and its module: see `handlerModule`. */
  readonly id: FunctionId;
  readonly doc: { readonly summary: string };
  /** Credentials that it checks, as a route does. */
  readonly auth?: Route['auth'];
  readonly limits: Pick<RouteLimits, 'timeoutSeconds' | 'memoryMb'>;
  /** Messages of its queue that come in one event, at most; absent: one. */
  readonly batchSize?: number;
  /** Resources that the function may use; the stack grants exactly these. */
  readonly access: Access;
}
