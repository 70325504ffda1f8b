import * as z from 'zod';
import {
  ADDRESS_LIMIT_PER_MINUTE,
  CHAT_LIMIT_BURST,
  CHAT_LIMIT_PER_MINUTE,
  FREE_PAGES_PER_DAY,
  USER_LIMIT_PER_MINUTE,
} from './limits/base-limits.ts';
import { buckets, queues, tables } from './resources.ts';
import { withoutTrailingSlashes } from './without-trailing-slashes.ts';

const name = () => z.string().min(1);
const rate = () => z.coerce.number().int().min(0).max(60_000);
const price = () => z.coerce.number().int().min(0).max(1_000_000).default(0);
const flag = () =>
  z
    .enum(['0', '1'])
    .default('0')
    .transform((value) => value === '1');

/**
 * Every setting that a function may read, made when it is asked for: a cold start makes no more than it needs. Names of resources
 * come from the stack, or from the local service.
 */
export const settings = {
  ...settingsOf(tables, name),
  ...settingsOf(buckets, name),
  ...settingsOf(queues, () => z.url()),
  /** Largest document of a knowledge base in bytes. */
  SERVICE_MAX_UPLOAD_SIZE: () =>
    z.coerce
      .number()
      .int()
      .min(1)
      .max(500 * 2 ** 20)
      .default(100 * 2 ** 20),
  /** Another S3 than Amazon's; the SDK reads it too. */
  AWS_ENDPOINT_URL_S3: () => z.url().optional(),
  /** Address of that S3 for clients, in links for uploads and downloads; unset: the same. */
  S3_PUBLIC_URL: () => z.url().optional(),
  /** `file:///...` or `s3://bucket/key`. */
  DRUG_MASTER: () => z.url(),
  READER: () => z.enum(['embedded', 'textract', 'bedrock']),
  /** Id or ARN of the vision model, or of its inference profile, that the reader `bedrock` asks. */
  BEDROCK_MODEL: () => name().optional(),
  /** Folder with the recogniser's models; unset: the repository's own, or the layer's. */
  OCR_DIR: () => name().optional(),
  /** Where programs run: runner processes on this machine, containers at fixed addresses, or tasks on Fargate. Unset: the sandbox is off. */
  SANDBOX: () => z.enum(['embedded', 'containers', 'fargate']).optional(),
  /** Addresses of these containers, separated by blanks: `http://runner-1:8080`. */
  RUNNER_URLS: () =>
    z
      .string()
      .default('')
      .transform((text) => text.split(/\s+/).filter((url) => url !== ''))
      .pipe(z.array(z.url({ protocol: /^https?$/ }))),
  /** The secret by which these containers know their dispatcher. */
  RUNNER_TOKEN: () => name(),
  /** ARN of the secret that runners know their dispatcher by. */
  RUNNER_TOKEN_SECRET: name,
  RUNNERS_CLUSTER: name,
  RUNNERS_SERVICE: name,
  /** Free runners that wait for work, and runners in all. */
  RUNNERS_MIN_IDLE: () => z.coerce.number().int().positive(),
  RUNNERS_MAX_SIZE: () => z.coerce.number().int().positive(),
  /** The start of the names of the deployment’s functions. */
  FUNCTION_NAMES: name,
  /** Where messages to clients of WebSockets go to; unset: to the API that they come from. */
  SOCKETS_ENDPOINT: () => z.url().optional(),
  AWS_REGION: name,
  /** ARN of the KMS key that secrets of applications are encrypted with. */
  SECRETS_KEY_ARN: name,
  /** File with a key for them; unset: KMS encrypts them. */
  SECRETS_KEY_FILE: () => name().optional(),
  /** Requests per minute of a person or key; 0: no limit. */
  USER_LIMIT_PER_MINUTE: () => rate().default(USER_LIMIT_PER_MINUTE),
  /** Requests per minute and address without a valid credential; 0: no limit. */
  ADDRESS_LIMIT_PER_MINUTE: () => rate().default(ADDRESS_LIMIT_PER_MINUTE),
  /** Chat completions per minute and caller; 0: no limit. */
  CHAT_LIMIT_PER_MINUTE: () => rate().default(CHAT_LIMIT_PER_MINUTE),
  /** Chat completions of a caller at once. */
  CHAT_LIMIT_BURST: () => rate().min(1).default(CHAT_LIMIT_BURST),
  /** Free pages per workspace and day that hold no drug table or cannot be read; 0: no limit. */
  FREE_PAGES_PER_DAY: () => z.coerce.number().int().min(0).max(1_000_000).default(FREE_PAGES_PER_DAY),
  /** Unpaid pages per network address and day, the ten free calls included; 0: no limit. */
  FREE_PAGES_PER_ADDRESS: () => z.coerce.number().int().min(0).default(0),
  /** Unpaid pages per day of all workspaces together; 0: no limit. */
  FREE_PAGES_IN_ALL: () => z.coerce.number().int().min(0).default(0),
  /** Registrations with a confirmation mail per network address and day; 0: no limit. */
  REGISTRATIONS_PER_ADDRESS: () => z.coerce.number().int().min(0).default(0),
  /** Registrations with a confirmation mail per day in all; 0: no limit. */
  REGISTRATIONS_IN_ALL: () => z.coerce.number().int().min(0).default(0),
  /** Tokens per workspace and day of models on Bedrock, which the operator pays for; 0: no limit. */
  CHAT_TOKENS_PER_WORKSPACE: () => z.coerce.number().int().min(0).default(0),
  /** Tokens per day of models on Bedrock in all; 0: no limit. */
  CHAT_TOKENS_IN_ALL: () => z.coerce.number().int().min(0).default(0),
  /** Price of 1,000 tokens of models of the operator in KRW, questions and answers together; 0: free. */
  PRICE_CHAT_KRW_PER_1K_TOKENS: () => price(),
  /** Price of a second of a program in KRW; 0: free. */
  PRICE_SANDBOX_KRW_PER_SECOND: () => price(),
  /** JSON endpoint of the provider of the tool `web_search`: `https://api.search.brave.com/res/v1/web/search`; unset: no application can have the tool. */
  WEB_SEARCH_URL: () => z.url({ protocol: /^https?$/ }).optional(),
  /** The form of its requests and answers: of Brave Search, or of SearXNG. */
  WEB_SEARCH_FORMAT: () => z.enum(['brave', 'searxng']).default('brave'),
  /** ARN of the secret with its key. */
  WEB_SEARCH_SECRET: () => name().optional(),
  /** Its key itself, for a local service. */
  WEB_SEARCH_KEY: () => name().optional(),
  /** Messages of channels that are answered at the same time. */
  ANSWERS_AT_ONCE: () => z.coerce.number().int().min(1).max(1_000).default(8),
  /** Runs of workflows of one workspace at the same time that requests wait for, those within them included. */
  RUNS_OF_WORKSPACE: () => z.coerce.number().int().min(1).max(1_000).default(50),
  /** Consecutive errors of a messaging platform that open its circuit breaker. */
  BREAKER_ERROR_THRESHOLD: () => z.coerce.number().int().min(1).max(1_000).default(5),
  /** Seconds within which these errors must occur. */
  BREAKER_ERROR_WINDOW_SECONDS: () => z.coerce.number().min(1).max(86_400).default(60),
  /** Seconds after which an open breaker sends one message as a probe. */
  BREAKER_RECOVERY_TIMEOUT_SECONDS: () => z.coerce.number().min(1).max(86_400).default(30),
  /** Seconds between two probes at least. */
  BREAKER_PROBE_INTERVAL_SECONDS: () => z.coerce.number().min(1).max(86_400).default(10),
  /** Sender of the low-balance e-mails, of an identity that SES has verified. */
  MAIL_FROM: name,
  /** Address of this service in links that leave it; unset: they are paths. */
  SERVICE_URL: () => z.url().optional(),
  /** Web frontend that links in mails lead to. */
  WEB_URL: () => z.url().optional(),
  /** Relay that sends mails, `smtp://user:password@relay.example:587`, instead of `MAIL_DIR`. */
  SMTP_URL: () => z.url({ protocol: /^smtps?$/ }).optional(),
  /** Folder that mails go to as .eml files; unset: Amazon SES sends them. */
  MAIL_DIR: () => name().optional(),
  /** Cost of a local service's password hashes, as the logarithm of scrypt's N; test suites lower it. */
  PASSWORD_LOG2_COST: () => z.coerce.number().int().min(10).max(20).optional(),
  /** Lifetime of access tokens. */
  ACCESS_TOKEN_EXPIRE_MINUTES: () => z.coerce.number().int().min(1).max(1440).default(30),
  /** Lifetime of refresh tokens. */
  REFRESH_TOKEN_EXPIRE_DAYS: () => z.coerce.number().int().min(1).max(365).default(7),
  /** Source of the signing keys: the ARN of a secret, or the path of a file. */
  SIGNING_KEY_SECRET: () => name().optional(),
  SIGNING_KEY_FILE: () => name().optional(),
  /** Roles that may post payments: the operator and the payment provider only, or owners too. */
  TOP_UPS: () => z.enum(['operator', 'self']).default('operator'),
  /** ARN of the secret that the payment provider signs its webhooks with. */
  PAYMENT_SECRET: () => name().optional(),
  /** The secret itself, `whsec_` and base64: switches the payment webhook of a local service on. */
  PAYMENT_SECRET_TEXT: () => name().optional(),
  /** Issuer of access tokens: the deployment's name. */
  TOKEN_ISSUER: () => name().default('tripod'),
  /** Origins of web pages that may call the service, separated by blanks: `https://app.example.com`. */
  CORS_ORIGINS: () =>
    z
      .string()
      .default('')
      .transform((text) => text.split(' ').filter((origin) => origin !== '')),
  /** Address of the guides that error responses link to, or its path at the address of the API. */
  GUIDES_URL: () =>
    z
      .string()
      .regex(/^(?:https?:\/)?\/[\x21-\x3b=\x3f-\x7e]+$/, 'must be an address, or a path from /')
      .transform(withoutTrailingSlashes)
      .optional(),
  /** 0: only the operator creates workspaces. */
  REGISTRATION: () =>
    z
      .enum(['0', '1'])
      .default('1')
      .transform((value) => value === '1'),
  /** 1: a registered address must be confirmed before its workspace can cost anything. */
  EMAIL_CONFIRMATION: flag,
  /** 1 where POST /api/v1/uploads requires contentLength, without which S3 takes bodies of any size. */
  UPLOADS_NEED_LENGTH: flag,
  /** Local mode: loopback image URLs are allowed, cookies need no TLS. */
  TRIPOD_LOCAL: flag,
  /** True where one process serves many requests at a time: what takes the processor for long gets its own. */
  MANY_AT_A_TIME: flag,
  /** Servers outside the public internet that outgoing calls may reach, as `host:port`, separated by blanks: `llm.hospital.example:8000`. */
  LAN_HOSTS: () =>
    z
      .string()
      .toLowerCase()
      .regex(/^([^\s:]+:\d+(\s+|$))*$/, 'must be pairs of host and port, separated by blanks')
      .default('')
      .transform((text) => text.split(/\s+/).filter((host) => host !== '')),
  /** Collector of OpenTelemetry that spans go to by OTLP/HTTP, without `/v1/traces`; unset: functions record none. */
  TRACES_ENDPOINT: () => z.url().optional(),
  /** Lowest level that is logged. */
  LOG_LEVEL: () => z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']).optional(),
  DEBUG: flag,
  /** Dimension of the metrics: the deployment’s name. Unset on one machine, where nothing collects them. */
  POWERTOOLS_SERVICE_NAME: () => name().optional(),
  SERVICE_VERSION: () => name().default('dev'),
} as const;

/** One setting for each resource, under the variable that the resource names. */
function settingsOf<Definitions extends Record<string, { readonly environment: string }>, Schema>(
  definitions: Definitions,
  schema: Schema,
): { readonly [Variable in Definitions[keyof Definitions]['environment']]: Schema } {
  const entries = Object.values(definitions).map(({ environment }) => [environment, schema]);
  return Object.fromEntries(entries);
}

export type SettingName = keyof typeof settings;
export type Environment = { readonly [N in SettingName]: z.infer<ReturnType<(typeof settings)[N]>> };

export class InvalidEnvironment extends Error {
  override name = 'InvalidEnvironment';
}

/**
 * The named settings, checked: `const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE')`. A function asks for what it
 * uses and for nothing else, so that none needs the settings of another.
 * @throws InvalidEnvironment that names every setting that is missing or wrong.
 */
export function environment<const N extends SettingName>(...names: readonly N[]): Pick<Environment, N> {
  const values: Partial<Record<SettingName, unknown>> = {};
  const wrong: string[] = [];
  for (const setting of names) {
    // An empty variable is an unset one: shells and templates can hardly tell them apart.
    const value = process.env[setting] || undefined;
    const parsed = settings[setting]().safeParse(value);
    if (parsed.success) values[setting] = parsed.data;
    else wrong.push(value === undefined ? `${setting} is not set` : `${setting}: ${parsed.error.issues[0]?.message}`);
  }
  if (wrong.length > 0) throw new InvalidEnvironment(`The environment is incomplete. ${wrong.join('. ')}.`);
  return values as Pick<Environment, N>;
}
