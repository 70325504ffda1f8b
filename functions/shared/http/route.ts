import type * as z from 'zod';

/**
 * One row of a service's route table: the single source of the CDK API, the local gateway and the OpenAPI document.
 * Route tables import zod and types only, so that reading them costs nothing and needs no SDK.
 */
export interface Route {
  /** Stable name, `service.verb-noun`; names the Lambda function, the metric and the event files. */
  readonly id: `${Service}.${string}`;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** API Gateway's path syntax: `/api/v1/extractions/{id}`. */
  readonly path: `/${string}`;
  readonly auth: 'none' | 'api-key';
  /** The scope that the key needs; absent means that any valid key will do. */
  readonly scope?: Scope;
  /** The caller must be the owner of the workspace; a key that is not narrowed to some services acts as the owner. */
  readonly role?: 'owner';
  /** Module under functions/, without its ending, that exports `handler`: `extraction/handlers/extract`. */
  readonly handler: string;
  readonly doc: { readonly summary: string; readonly description?: string };
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** True when the handler answers through `awslambda.streamifyResponse`. */
  readonly stream?: boolean;
  readonly limits: RouteLimits;
  /** What the function may touch; the stack grants this and nothing else. */
  readonly access: Access;
}

export type Service = 'accounts' | 'extraction' | 'chat' | 'sandbox' | 'system';
export type Scope = 'extraction' | 'chat' | 'sandbox';

export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteLimits {
  /** Wall time of the function; API Gateway gives up at 29 s on a buffered response. */
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** Largest request body in bytes that the service itself takes; the hosted gateway may take less. */
  readonly maxBodyBytes?: number;
}

export type TableId = 'accounts' | 'executions' | 'extractions' | 'idempotency' | 'limits' | 'runners';

export type QueueId = 'batch-images' | 'executions';

export type RunnerAccess =
  /** Knows what they can run. */
  | 'languages'
  /** Has programs run. */
  | 'run'
  /** Puts runners into the registry. */
  | 'note'
  /** Keeps as many as are needed. */
  | 'tend';

export interface Access {
  readonly tables?: Partial<Record<TableId, 'read' | 'read-write'>>;
  readonly uploads?: 'read' | 'read-write';
  /** Programs and outputs that are too large for a table. */
  readonly executions?: 'read' | 'read-write';
  readonly queues?: Partial<Record<QueueId, 'send' | 'consume' | 'consume-dead-letters'>>;
  /** What the function has to do with the pool of runners; it gets nothing where there is none. */
  readonly runners?: RunnerAccess;
  readonly textract?: boolean;
  /** True when the function works off the mails that wait in the accounts table. */
  readonly outbox?: boolean;
  /** True when the function sends mail. */
  readonly mail?: boolean;
  /** True when the function needs the OCR layer (native modules, models). */
  readonly ocr?: boolean;
  /** True when the function loads the drug master. */
  readonly master?: boolean;
}
