import * as z from 'zod';
import { memoize } from '../memoize.ts';
import type { Problem } from './problem.ts';
import type { Frame } from './reply.ts';

/** The parts of a problem that its client may see. */
export type ShownProblem = Pick<Problem, 'status' | 'code' | 'message'> &
  Partial<Pick<Problem, 'details'>> & {
    /** Present where the message is not in English. */
    readonly isTranslated?: true;
  };

/** The form of a service's error bodies: how one is made, and its description. */
interface Format {
  readonly body: (problem: ShownProblem, requestId: string) => object;
  readonly schema: z.ZodObject;
  /** True where a body of the right form whose values break a rule is 422; elsewhere it is 400, as one of another form. */
  readonly tellsRulesApart: boolean;
}

export type ErrorFormat = 'extraction' | 'envelope' | 'detail' | 'openai' | 'json-rpc';

/** Made where they are read: no handler does, and they cost milliseconds of each cold start. */
const schemas = memoize(() => {
  const envelope = z.object({
    data: z.null(),
    status: z.literal('error'),
    code: z.int().describe('The HTTP status'),
    message: z.string().describe('The fault, its field and what to do'),
  });
  return {
    envelope: envelope.meta({ id: 'Error' }),
    extraction: envelope
      .extend({
        error: z.object({
          code: z.string().describe('Stable, for programs: invalid_key, not_found, ...'),
          message: z.string().describe('For people'),
          requestId: z.string().describe('Quote it when you report the error'),
          details: z.record(z.string(), z.unknown()).optional(),
        }),
      })
      .meta({ id: 'ExtractionError' }),
    detail: z
      .object({
        detail: z.string().describe('The fault and what to do'),
        stdout: z.string().optional().describe('After a time-out: what the program had printed until then'),
        stderr: z.string().optional(),
      })
      .meta({ id: 'SandboxError' }),
    openai: envelope
      .extend({
        error: z.object({
          message: z.string(),
          type: z.string().describe('invalid_request_error, authentication_error, rate_limit_error, ...'),
          code: z.string().nullable(),
          param: z.string().nullable(),
        }),
      })
      .meta({ id: 'OpenAiError' }),
    'json-rpc': z
      .object({
        jsonrpc: z.literal('2.0'),
        id: z.null().describe('The request was refused before its id was read'),
        error: z.object({
          code: z.int().describe('-32700: not JSON; -32600: not a message; -32603: a fault of ours; -32000: any other'),
          message: z.string().describe('The fault, its field and what to do'),
          data: z.object({
            status: z.int().describe('The HTTP status'),
            code: z.string().describe('Stable, for programs: invalid_key, rate_limited, ...'),
            requestId: z.string(),
            details: z.record(z.string(), z.unknown()).optional(),
          }),
        }),
      })
      .meta({ id: 'JsonRpcError' }),
  };
});

/**
 * Every error body of the house. Handlers, the OpenAPI document, the local gateway, API Gateway's own responses and the
 * firewall all read this table.
 */
export const errorFormats = {
  /** Authentication, management and channels. */
  envelope: {
    tellsRulesApart: true,
    body: ({ status, message }) => ({ data: null, status: 'error', code: status, message }),
    get schema() {
      return schemas().envelope;
    },
  },
  /** The envelope, plus an `error` object with the textual code. */
  extraction: {
    tellsRulesApart: false,
    body: ({ status, code, message, details }, requestId) => ({
      data: null,
      status: 'error',
      code: status,
      message,
      error: { code, message, requestId, ...(details !== undefined && { details }) },
    }),
    get schema() {
      return schemas().extraction;
    },
  },
  /** The sandbox. Two of its texts are fixed by its contract. */
  detail: {
    tellsRulesApart: false,
    body: ({ status, message, details, isTranslated }) => ({
      detail: (isTranslated ? undefined : DETAILS[status]) ?? message,
      ...outputIn(details),
    }),
    get schema() {
      return schemas().detail;
    },
  },
  /** The envelope, plus the `error` object that OpenAI's clients read: without it they report "no body". */
  openai: {
    tellsRulesApart: true,
    body: ({ status, code, message, details }) => ({
      data: null,
      status: 'error',
      code: status,
      message,
      error: { message, type: openAiType(status), code, param: firstField(details) },
    }),
    get schema() {
      return schemas().openai;
    },
  },
  /** The MCP endpoint. */
  'json-rpc': {
    tellsRulesApart: false,
    body: ({ status, code, message, details }, requestId) => ({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: jsonRpcCode(status, details),
        message,
        data: { status, code, requestId, ...(details !== undefined && { details }) },
      },
    }),
    get schema() {
      return schemas()['json-rpc'];
    },
  },
} as const satisfies Readonly<Record<ErrorFormat, Format>>;

const DETAILS: Readonly<Record<number, string>> = {
  401: 'Invalid or missing API key',
  429: 'Rate limit exceeded. Please try again later.',
};

/** A 400 without fields is a body that could not be parsed. */
function jsonRpcCode(status: number, details: ShownProblem['details']): number {
  if (status === 400) return details?.fields === undefined ? -32_700 : -32_600;
  return status >= 500 && status !== 503 ? -32_603 : -32_000;
}

/** The program's output up to the failure, if known. */
function outputIn(details: ShownProblem['details']): { stdout?: unknown; stderr?: unknown } {
  if (details === undefined || !('stdout' in details)) return {};
  return { stdout: details.stdout, stderr: details.stderr };
}

/** The field that a client should look into first. */
function firstField(details: ShownProblem['details']): string | null {
  return Object.keys((details?.fields as object | undefined) ?? {})[0] ?? null;
}

function openAiType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 409:
      return 'conflict_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status < 500 ? 'invalid_request_error' : 'server_error';
  }
}

/** Forms that one body can have at once. JSON-RPC is not among them: its code is a number. */
export const mergedFormats = [
  errorFormats.envelope,
  errorFormats.extraction,
  errorFormats.detail,
  errorFormats.openai,
] as const;

/** A body that is valid in all of these: for errors of a gateway that does not know which route was meant, or whether there is one. */
export function routelessBody(problem: ShownProblem, requestId: string): object {
  const bodies = mergedFormats.map(({ body }) => body(problem, requestId) as { readonly error?: object });
  return { ...Object.assign({}, ...bodies), error: Object.assign({}, ...bodies.map(({ error }) => error)) };
}

/** The event `error` that ends a stream which has failed, and what OpenAI's clients wait for behind it. */
export function errorFrames(format: ErrorFormat, problem: ShownProblem): readonly Frame[] {
  const { message } = problem;
  const code = format === 'openai' ? streamCode(problem) : problem.code;
  const error = { message, type: openAiType(problem.status), param: null, code };
  return [{ event: 'error', data: { code, message, error } }, { data: '[DONE]' }];
}

/** The closed list of codes that a chat's stream fails with. */
const STREAM_CODES: readonly string[] = [
  ...['rate_limit', 'context_overflow', 'tool_error', 'timeout', 'provider_error', 'auth_error'],
];

function streamCode({ code, status }: ShownProblem): string {
  if (STREAM_CODES.includes(code)) return code;
  if (status === 401 || status === 403) return 'auth_error';
  if (status === 429 || code === 'session_busy') return 'rate_limit';
  return status === 504 ? 'timeout' : 'provider_error';
}
