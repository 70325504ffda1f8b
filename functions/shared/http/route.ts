import type * as z from 'zod';
import type { Access } from '../access.ts';
import type { FunctionId } from '../function-id.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { Role, Scope } from '../principal.ts';
import type { ErrorFormat } from './error-formats.ts';

/**
 * One row of a service's route table: the single source of the CDK API, the local gateway and the OpenAPI document.
 * Route tables import zod and types only, so that reading them costs nothing and needs no SDK.
 */
export interface Route {
  /** Stable name, `service.verb-noun`; names the Lambda function, its module (see `handlerModule`) and the event files. */
  readonly id: FunctionId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** API Gateway's path syntax: `/api/v1/extractions/{id}`. */
  readonly path: `/${string}`;
  /** Other paths of the same function, with the same parameters. */
  readonly aliases?: readonly `/${string}`[];
  /** The credentials that the route accepts, one at a time; none: the route is public. */
  readonly auth: readonly Credential[];
  /** The scope that the credential needs; 'all': an API key needs every one; absent: any valid credential will do. */
  readonly scope?: Scope | 'all';
  /** The least role that the principal needs; a key that is not narrowed to some services acts as the owner. */
  readonly role?: Role;
  /** True for a route that changes or runs something and is open before the owner's address is confirmed. */
  readonly allowsUnconfirmed?: boolean;
  /** True for a route that is open to people who must enrol a second factor first. */
  readonly allowsEnrolment?: boolean;
  /** The form of the route's error bodies. */
  readonly errors: ErrorFormat;
  readonly doc: { readonly summary: string; readonly description?: string };
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Absent: see `DEFAULT_BODY_LIMIT`. */
  readonly bodyLimit?: BodyLimit;
  /** Buckets that a request takes tokens from, in addition to the bucket of its caller or address. */
  readonly rateLimits?: readonly RouteRateLimit[];
  /** True for a route without any limits: load balancers ask for the health of a service from few addresses. */
  readonly isUnlimited?: boolean;
  /** Of errors that follow from the rest of the row, only what there is to add: see `impliedErrors`. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** True when the handler answers through `awslambda.streamifyResponse`. */
  readonly stream?: boolean;
  readonly limits: RouteLimits;
  /** Resources that the function may use; the stack grants exactly these. */
  readonly access: Access;
}

/** All paths of a route, its own first. */
export function pathsOf({ path, aliases = [] }: Pick<Route, 'path' | 'aliases'>): readonly `/${string}`[] {
  return [path, ...aliases];
}

export type Credential = 'jwt' | 'api-key' | 'cookie' | 'path-token' | 'signature';
/** Credentials for people and programs, in the order of their priority. */
export const ANY_CREDENTIAL = ['jwt', 'api-key', 'cookie'] as const satisfies readonly Credential[];

/** Of texts that people write. */
export const DEFAULT_BODY_LIMIT: BodyLimit = { maxBytes: 1024 * 1024, advice: '' };
/** For routes whose texts may be longer: what an event of Lambda holds. */
export const EVENT_BODY_LIMIT: BodyLimit = { maxBytes: 6 * 1024 * 1024, advice: '' };

export function bodyLimitOf({ bodyLimit = DEFAULT_BODY_LIMIT }: Pick<Route, 'bodyLimit'>): BodyLimit {
  return bodyLimit;
}

export interface BodyLimit {
  /** Largest request body that the service itself takes; the hosted gateway may take less. */
  readonly maxBytes: number;
  /** Advice to a client whose body is too large: one sentence. */
  readonly advice: string;
}

export interface RouteRateLimit {
  readonly limit: RateLimit;
  /**
   * Whose bucket it is. 'caller' is the principal, and for a public token each address. 'key' and 'token' do not apply to
   * requests with other credentials.
   */
  readonly per: 'address' | 'principal' | 'caller' | 'key' | 'token' | 'body';
  /** Of a limit per 'body': whose bucket it is, by the parsed body and the address that limits count by. */
  readonly subject?: (body: unknown, address: string) => string;
  /** For a limit per 'body': the account whose known addresses are exempt, since they have their own buckets. */
  readonly sparesKnown?: (body: unknown) => string;
  /** Tokens that a request takes, by its parsed body; no more than the whole bucket. By default 1; by address always 1. */
  readonly cost?: (body: unknown) => number;
}

export interface RouteResponse {
  readonly description: string;
  /** Absent of an error: its body has the form of the route's errors. */
  readonly schema?: z.ZodType;
  /** Of the data of each server-sent event, where the client asks for a stream. */
  readonly events?: z.ZodType;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteLimits {
  /** Wall time of the function; API Gateway gives up at 29 s on a buffered response. */
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}
