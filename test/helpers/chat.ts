import * as z from 'zod';
import { newAccessToken } from '../../functions/chat/access-tokens/schemas.ts';
import { application } from '../../functions/chat/applications/schemas.ts';
import { completion, completionChunk } from '../../functions/chat/completions/schemas.ts';
import { envelopeOf } from '../../functions/shared/http/envelope.ts';
import { errorFormats } from '../../functions/shared/http/error-formats.ts';
import { type ApiAnswer, call } from './api.ts';
import type { TestService } from './service.ts';

export type Service = Pick<TestService, 'baseUrl' | 'apiKey' | 'workspaceId'>;

export const APPLICATIONS_PATH = '/api/v1/applications';
export const applicationPath = (id: string) => `${APPLICATIONS_PATH}/${id}`;
export const tokensPath = (id: string) => `${applicationPath(id)}/access-tokens`;

export type ShownApplication = z.output<typeof application>;
type Caller = Pick<Service, 'baseUrl' | 'apiKey'>;

export const createCall = (service: Caller, body: unknown) => call(service, 'POST', APPLICATIONS_PATH, { body });
export const changeCall = (service: Caller, id: string, body: unknown, headers: Record<string, string> = {}) =>
  call(service, 'PATCH', applicationPath(id), { body, headers });

let applicationsMade = 0;

/** A new application with a unique name. */
export async function createApplication(service: Caller, body: object = {}): Promise<ShownApplication> {
  applicationsMade += 1;
  return applicationOf(await createCall(service, { name: `Application ${applicationsMade}`, type: 'chat', ...body }));
}

/** The application of a response, after a check that it is exactly of the documented form. */
export function applicationOf(answer: ApiAnswer): ShownApplication {
  return dataOf(answer, application.strict());
}

export async function createToken(service: Caller, id: string, body: object = {}) {
  return dataOf(await call(service, 'POST', tokensPath(id), { body }), newAccessToken.strict());
}

/** The data of a successful response, after a check of its envelope. */
export function dataOf<Data extends z.ZodType>(answer: ApiAnswer, data: Data): z.output<Data> {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  const body = envelopeOf(data).strict().parse(answer.json) as { data: unknown; code: number };
  if (body.code !== answer.status) throw new Error(`The body says ${body.code}, the status line ${answer.status}.`);
  return body.data as z.output<Data>;
}

/** Status and text of a refusal, after a check that its body is exactly the documented envelope. */
export function refusalOf(answer: ApiAnswer): [status: number, message: string] {
  const { code, message } = z.strictObject(errorFormats.envelope.schema.shape).parse(answer.json);
  if (code !== answer.status) throw new Error(`The body says ${code}, the status line ${answer.status}.`);
  return [answer.status, message];
}

export const completionPath = (application: string) => `/api/v1/chat/${application}/chat/completions`;

export interface SentCompletion {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/** A request for a whole answer. */
export const complete = (
  service: Caller,
  application: string,
  body: object,
  { key, headers = {} }: SentCompletion = {},
) =>
  call(service, 'POST', completionPath(application), {
    body: { messages: [{ role: 'user', content: 'Hello' }], ...body },
    headers,
    ...(key !== undefined && { key }),
  });

export type Completion = z.output<typeof completion>;
export type Chunk = z.output<typeof completionChunk>;

/** The completion of a response, after a check that it is exactly of the published shape. */
export function completionOf(answer: ApiAnswer): Completion {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return completion.strict().parse(answer.json);
}

export const contentOf = (answer: ApiAnswer): string | null => completionOf(answer).choices[0]!.message.content;

/** Status, code and message of a refusal, after a check that its body is what OpenAI's clients and ours read. */
export function chatRefusalOf(answer: ApiAnswer) {
  const { code, message, error } = errorFormats.openai.schema.strict().parse(answer.json);
  if (code !== answer.status || error.message !== message) throw new Error(JSON.stringify(answer.json));
  return { status: answer.status, code: error.code, message };
}

export interface StreamEvent {
  readonly event: string | null;
  readonly data: string;
}

export interface Streamed {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly StreamEvent[];
  /** Checked one by one against the published shape. */
  readonly chunks: readonly Chunk[];
  readonly text: string;
  /** Of the event `error`. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

const failure = z.strictObject({
  code: z.enum(['rate_limit', 'context_overflow', 'tool_error', 'timeout', 'provider_error', 'auth_error']),
  message: z.string().min(1),
  error: z.strictObject({ message: z.string(), type: z.string(), param: z.null(), code: z.string() }),
});

/** Sends a request for a stream. */
export function sendStream(
  service: Caller,
  application: string,
  body: object,
  { key, headers = {} }: SentCompletion = {},
  signal?: AbortSignal,
): Promise<Response> {
  const sentKey = key === undefined ? service.apiKey : key;
  return fetch(service.baseUrl + completionPath(application), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(sentKey !== null && { 'x-api-key': sentKey }), ...headers },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], stream: true, ...body }),
    ...(signal && { signal }),
  });
}

/** The whole stream of a request, each of its events checked. */
export async function stream(...request: Parameters<typeof sendStream>): Promise<Streamed> {
  const response = await sendStream(...request);
  const body = await response.text();
  if (response.status !== 200) {
    const { status, headers } = response;
    throw new Error(`${status} ${body}`, { cause: { status, headers, json: JSON.parse(body) } });
  }
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error(`No stream: ${body}`);
  const all = eventsOf(body);
  if (all.at(-1)?.data !== '[DONE]') throw new Error(`Something comes after [DONE]: ${body}`);
  const failed = all.find(({ event }) => event === 'error');
  const chunks = all
    .filter(({ event, data }) => event !== 'error' && data !== '[DONE]')
    .map(({ data }) => completionChunk.strict().parse(JSON.parse(data)));
  return {
    status: response.status,
    headers: response.headers,
    events: all,
    chunks,
    text: chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''),
    failure: failed ? failure.parse(JSON.parse(failed.data)) : null,
  };
}

function eventsOf(body: string): StreamEvent[] {
  return body
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const lines = block.split('\n');
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? null;
      const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
      if (data.length + (event === null ? 0 : 1) !== lines.length || data.length === 0)
        throw new Error(`No event that every client takes: ${block}`);
      return { event, data: data.join('\n') };
    });
}

/** An application that asks the model of a scripted provider. */
export function applicationOn(
  service: Caller,
  baseUrl: string,
  { model = {}, ...config }: { readonly model?: object } & Record<string, unknown> = {},
): Promise<ShownApplication> {
  return createApplication(service, {
    config: {
      model: { provider: 'openai-compatible', name: 'test-model', base_url: baseUrl, api_key: PROVIDER_KEY, ...model },
      ...config,
    },
  });
}

export const PROVIDER_KEY = 'sk-secret-of-the-provider';
