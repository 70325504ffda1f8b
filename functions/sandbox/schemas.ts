import * as z from 'zod';
import { pageQuery } from '../shared/http/page-query.ts';
import { MAX_BATCH_SIZE } from './domain/execute.ts';
import { DEFAULT_RESOURCES, LANGUAGES } from './domain/run.ts';
import { CURSOR } from './domain/sessions.ts';
import { INTERPRETER_HOOKS } from './interpreter-hooks.ts';

/** Requests and responses of the sandbox, and the limits of their fields. */

const MIB = 1024 * 1024;
const MAX_VARIABLES = 64;
const MAX_ENVIRONMENT_BYTES = 64 * 1024;

const HOOKS: ReadonlySet<string> = new Set(INTERPRETER_HOOKS);
const REFUSED_NAMES = INTERPRETER_HOOKS.join(', ');

const atMost = (bytes: number, name: string) =>
  [(text: string) => Buffer.byteLength(text) <= bytes, `must be at most ${bytes / MIB} MiB of ${name}`] as const;

const environment = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a name consists of letters, digits and _, and does not begin with a digit')
      .refine(
        (name) => !HOOKS.has(name),
        `this name is not allowed, since it would change a loader, shell or interpreter; refused are ${REFUSED_NAMES}`,
      ),
    z.string().refine((value) => !value.includes('\0'), 'values hold no NUL character'),
    {
      error: ({ code, issues }) =>
        code === 'invalid_key' ? issues?.map(({ message }) => message).join('; ') : undefined,
    },
  )
  .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, `at most ${MAX_VARIABLES} variables`)
  .refine(
    (variables) => Buffer.byteLength(Object.entries(variables).flat().join('')) <= MAX_ENVIRONMENT_BYTES,
    `at most ${MAX_ENVIRONMENT_BYTES / 1024} KiB in all`,
  );

const resources = z.strictObject({
  cpu: z.int().min(1).max(2).default(DEFAULT_RESOURCES.cpu).describe('Processor cores'),
  memory_mb: z.int().min(64).max(2048).default(DEFAULT_RESOURCES.memoryMb),
  disk_mb: z.int().min(1).max(1024).default(DEFAULT_RESOURCES.diskMb),
});

const sessionId = z
  .string()
  .min(1)
  .max(128)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
  // Clients take these two out of a path, in whatever way they are written: nothing could list or remove the session.
  .regex(/^(?!\.{1,2}$)/, 'must not be . or ..');

export const executionRequest = z.strictObject({
  code: z
    .string()
    .min(1, 'must not be empty')
    .refine(...atMost(MIB, 'UTF-8')),
  // Another one has an error of its own, which lists what this deployment can run.
  language: z.string().max(100).describe('One of GET /api/v1/languages').meta({ enum: LANGUAGES }),
  stdin: z
    .string()
    .refine(...atMost(4 * MIB, 'UTF-8'))
    .nullish(),
  environment: environment
    .nullish()
    .describe(`Names that would change a loader, shell or interpreter are refused: ${REFUSED_NAMES}`),
  timeout: z.int('must be a whole number of seconds').min(1).max(300).nullish().describe('Seconds; default 30'),
  session_id: sessionId
    .nullish()
    .describe('Records the execution, result included, for 24 hours: GET /api/v1/sessions/{session_id} lists it'),
  resources: resources.nullish().describe('At most 2 cores, 2048 MB of memory, 1024 MB of disk'),
});

// One that is too large has an error of its own, which is fixed by the contract.
export const executionBatch = z
  .array(executionRequest)
  .min(1, 'must hold at least one execution')
  .meta({ maxItems: MAX_BATCH_SIZE });

export const executionResult = z.object({
  execution_id: z.string(),
  stdout: z.string().describe('Up to 1 MiB; the middle of more is left out, and a line says so'),
  stderr: z.string(),
  exit_code: z.int().describe('128 + n after signal n; -1: the execution itself failed, stderr says why'),
  execution_time: z.number().nonnegative().describe('Seconds of the program alone, a compiler’s included'),
  language: z.string(),
  session_id: z.string().nullable(),
});

export const executionResults = z.array(executionResult).describe('In the order of the requests');

const recorded = z.object({
  execution_id: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable().describe('Null before the start'),
  completed_at: z.iso.datetime().nullable().describe('Null before the end'),
});

export const execution = recorded.extend({
  result: executionResult.nullable().describe('Null before the end'),
});

export const executionParams = z.object({ execution_id: z.string() });

export const executionSummary = recorded.extend({
  language: z.string(),
  exit_code: z.int().nullable().describe('Null before the end'),
  execution_time: z.number().nonnegative().nullable().describe('Null before the end'),
});

/** API Gateway passes path parameters on as they were sent. */
const pathText = z.string().transform((sent, { addIssue }) => {
  try {
    return decodeURIComponent(sent);
  } catch {
    addIssue('is not percent-encoded UTF-8');
    return z.NEVER;
  }
});

export const sessionParams = z.object({
  session_id: pathText.pipe(sessionId).describe('As it was sent with the executions, percent-encoded'),
});

export const sessionQuery = pageQuery('executions', 'next_cursor', CURSOR);

export const sessionPage = z.object({
  session_id: z.string(),
  executions: z.array(executionSummary).describe('Newest first'),
  next_cursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});

export const languageList = z.object({
  languages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      preparing: z
        .boolean()
        .optional()
        .describe('true while its standard library is being compiled, once on a machine; executions wait for it'),
    }),
  ),
});
