import * as z from 'zod';
import { pageQuery } from '../shared/http/page-query.ts';
import { MAX_BATCH_SIZE } from './domain/execute.ts';
import { MAX_INPUT_BYTES } from './domain/input-uploads.ts';
import { DEFAULT_RESOURCES, KEPT_LANGUAGES, LANGUAGES, type LanguageName } from './domain/run.ts';
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
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a name consists of letters, digits and _, and does not start with a digit')
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

const MAX_ARGUMENTS = 64;
const MAX_INPUT_FILES = 100;
const MAX_INLINE_INPUT_BYTES = 8 * MIB;
const MAX_PATH_BYTES = 240;
const MAX_ADDRESS_LENGTH = 8_192;
const MAX_DEPTH = 8;

/** Names that code is stored by. */
const CODE_FILES: Readonly<Record<LanguageName, string>> = {
  bash: 'main.sh',
  go: 'main.go',
  javascript: 'main.js',
  python: 'main.py',
  ruby: 'main.rb',
  typescript: 'main.ts',
};

const isSegment = (segment: string) => segment !== '' && segment !== '.' && segment !== '..';

const filePath = z
  .string()
  .refine((path) => path.split('/').every(isSegment), 'must be a relative path without . and ..')
  .refine((path) => path.split('/').length <= MAX_DEPTH, `must be at most ${MAX_DEPTH - 1} directories deep`)
  .refine((path) => Buffer.byteLength(path) <= MAX_PATH_BYTES, `must be at most ${MAX_PATH_BYTES} bytes long`)
  .refine((path) => path.isWellFormed() && !/[\p{Cc}\\]/u.test(path), 'must hold no control character and no backslash')
  .refine((path) => !path.startsWith('-'), 'must not start with -')
  .refine(
    (path) => path !== 'out' && !path.startsWith('out/'),
    'must not be in out/, which is for what the program writes',
  );

function foldersOf(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

function sizeOf({
  content,
  content_base64 = '',
}: {
  content?: string | undefined;
  content_base64?: string | undefined;
}) {
  return content === undefined ? Math.floor((content_base64.length * 3) / 4) : Buffer.byteLength(content);
}

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
  // Clients normalise these two segments out of any path: such a session could never be listed or removed.
  .regex(/^(?!\.{1,2}$)/, 'must not be . or ..');

export const inputFile = z
  .strictObject({
    path: filePath,
    content: z.string().optional().describe('Its text'),
    content_base64: z.base64().optional().describe('Its bytes'),
    upload_url: z
      .url()
      .max(MAX_ADDRESS_LENGTH)
      .optional()
      .describe(
        'Address that POST /api/v1/execute/uploads gave and that the file was PUT to, or the url of a file in a result',
      ),
  })
  .refine(
    ({ content, content_base64, upload_url }) =>
      [content, content_base64, upload_url].filter((form) => form !== undefined).length === 1,
    'must have either content, content_base64 or upload_url',
  );

export const uploadBody = z.strictObject({
  size: z.int().min(1).max(MAX_INPUT_BYTES).describe('Bytes of the file; the PUT has exactly this Content-Length'),
});

export const upload = z.object({
  upload_url: z.url().describe('PUT the file here, then name it in files of a request, within 24 hours'),
  expires_in: z.int().describe('Seconds in which it takes the file'),
});

const inputFiles = z
  .array(inputFile)
  .max(MAX_INPUT_FILES)
  .refine((files) => files.reduce((sum, file) => sum + sizeOf(file), 0) <= MAX_INLINE_INPUT_BYTES, {
    error: `must be at most ${MAX_INLINE_INPUT_BYTES / MIB} MiB in all; upload larger ones by POST /api/v1/execute/uploads`,
  })
  .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'must not name a path twice')
  .refine((files) => {
    const paths = new Set(files.map(({ path }) => path));
    return files.every(({ path }) => foldersOf(path).every((folder) => !paths.has(folder)));
  }, 'must not have a file and a directory by the same path');

const fields = z.strictObject({
  code: z
    .string()
    .min(1, 'must not be empty')
    .refine(...atMost(MIB, 'UTF-8'))
    .optional()
    .describe('The program; required unless main names one of files'),
  // An unknown language has a separate error, which lists the languages of this deployment.
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
  resources: resources
    .nullish()
    .describe('At most 2 cores, 2048 MB of memory, 1024 MB of disk. With it, the result says what the run used'),
  args: z
    .array(z.string().refine((text) => !text.includes('\0'), 'holds no NUL character'))
    .max(MAX_ARGUMENTS)
    .refine((all) => Buffer.byteLength(all.join('')) <= MAX_ENVIRONMENT_BYTES, 'at most 64 KiB in all')
    .nullish()
    .describe('Arguments of the program'),
  files: inputFiles
    .nullish()
    .describe(
      'Files in the directory of the program: more sources, data. With it, if empty, the result has the files that the program wrote below out/',
    ),
  session: z
    .strictObject({ keep: z.boolean() })
    .nullish()
    .describe(
      'keep: true runs the program in an interpreter that is kept for the session_id: it finds the variables of earlier calls',
    ),
  main: filePath.nullish().describe('Path of the one of files that is run in place of code'),
});

export const executionRequest = fields.superRefine((request, { addIssue }) => {
  const { code, main, files, language, session, session_id, args, stdin } = request;
  const issue = (member: string, message: string) => addIssue({ code: 'custom', path: [member], message });
  if (main && !files?.some(({ path }) => path === main)) issue('main', 'must be the path of one of files');
  if (main && code !== undefined) issue('code', 'must be absent when main names the entry point');
  if (!main && code === undefined) issue('code', 'is required, unless main names one of files to run');
  const own = main ? null : CODE_FILES[language as LanguageName];
  if (files?.some(({ path }) => path === own || path.startsWith(`${own}/`)))
    issue('files', `must not hold ${own}, which is code: choose another name, or run it by main`);
  if (session?.keep) {
    if (!session_id) issue('session_id', 'is required, to name the session that is kept');
    if (!KEPT_LANGUAGES.includes(language as LanguageName))
      issue('language', `must be one of ${KEPT_LANGUAGES.join(', ')} where a session is kept`);
    if (main) issue('main', 'must be absent where a session is kept: code is run');
    if (args?.length) issue('args', 'must be absent where a session is kept');
    if (stdin && language === 'javascript') issue('stdin', 'must be absent where a session of javascript is kept');
  }
});

// A batch that is too large has a separate error, fixed by the contract.
export const executionBatch = z
  .array(executionRequest)
  .min(1, 'must hold at least one execution')
  .meta({ maxItems: MAX_BATCH_SIZE });

export const outputFile = z.object({
  path: z.string().describe('Below out/'),
  size: z.int().nonnegative(),
  media_type: z.string().describe('By its name'),
  content_base64: z.string().optional(),
  url: z.url().optional().describe('In place of content_base64 when it is large: to GET within an hour'),
});

export const shownTable = z.object({
  columns: z.array(z.string()).describe('Up to 50'),
  rows: z
    .array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])))
    .describe('The first ones, up to 100 and 64 KiB; other types of values as text'),
  row_count: z.int().describe('Of the whole table'),
  column_count: z.int().describe('Of the whole table'),
});

export const executionResult = z.object({
  execution_id: z.string(),
  stdout: z.string().describe('Up to 1 MiB; the middle of more is left out, and a line says so'),
  stderr: z.string(),
  exit_code: z.int().describe('128 + n after signal n; -1: the execution itself failed, stderr says why'),
  execution_time: z
    .number()
    .nonnegative()
    .describe(
      'Wall time in seconds of the program alone, a compiler’s included: the timeout and the price count it, and not the processor time',
    ),
  language: z.string(),
  session_id: z.string().nullable(),
  resources: z
    .object({
      cpu_time: z
        .number()
        .nonnegative()
        .describe('Processor seconds of all its processes: less than `execution_time` where it waited'),
      memory_peak: z.int().nonnegative().describe('Bytes of resident memory at the most, as far as it was looked at'),
      signal: z.string().nullable().describe('What ended it, SIGSEGV for example; null: it ended by itself'),
      limit: z
        .enum(['time', 'memory', 'disk', 'files', 'processes'])
        .nullable()
        .describe('The limit that it was ended for; null: none'),
    })
    .optional()
    .describe('Where resources were asked for'),
  value: z
    .string()
    .optional()
    .describe(
      'Of a kept session: the value of the last expression, as the language shows it; absent for None and undefined',
    ),
  value_html: z.string().optional().describe('Where value is a DataFrame of pandas or polars: its HTML, up to 64 KiB'),
  value_table: shownTable.optional().describe('Where value is a DataFrame or Series of pandas or polars'),
  session: z
    .object({
      new: z
        .boolean()
        .describe(
          'true: it found no variables of earlier calls, since there were no such calls or the session had ended',
        ),
      kept: z.boolean().describe('false: the session has ended with this call'),
    })
    .optional()
    .describe('Where session.keep was asked for'),
  files: z
    .array(outputFile)
    .optional()
    .describe(
      'Where files were sent, or a kept session has shown figures: what it wrote below out/, up to 20 files and 24 MiB',
    ),
  skipped_files: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .optional()
    .describe('Entries below out/ that are not among files, up to 20 of them'),
});

/** Data of the events of a stream. */
export const executionEvent = z.union([
  z.object({ text: z.string() }).describe('Of events stdout and stderr'),
  executionResult.describe('Of the event result, the last one'),
]);

export const executionHeaders = z.object({
  accept: z.string().optional().describe('text/event-stream: output as it comes, and then the result'),
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
      packages: z
        .array(z.object({ name: z.string(), version: z.string() }))
        .optional()
        .describe('Packages that programs can import in addition to the standard library; absent: none'),
      preparing: z
        .boolean()
        .optional()
        .describe('true while its standard library is being compiled, once on a machine; executions wait for it'),
    }),
  ),
});
