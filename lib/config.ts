import * as z from 'zod';
import type { ReaderName } from '../functions/extraction/domain/reading/template.ts';
import { templateReaders } from '../functions/extraction/domain/templates.ts';
import {
  ADDRESS_LIMIT_PER_MINUTE,
  CHAT_LIMIT_BURST,
  CHAT_LIMIT_PER_MINUTE,
  FREE_PAGES_PER_DAY,
  USER_LIMIT_PER_MINUTE,
} from '../functions/shared/limits/base-limits.ts';

const flag = z.union([z.boolean(), z.stringbool()], { error: 'true or false' });
const wholeNumber = z.coerce.number().int().positive();
const wholeOrNone = z.coerce.number().int().min(0);
const price = wholeOrNone.max(1_000_000).default(0);
const perMinute = z.coerce.number().int().min(0).max(60_000);
/** As browsers name it: no path, no slash at its end. */
const origin = z
  .string()
  .regex(
    /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/,
    'an origin such as https://app.example.com, in small letters and without a path',
  );
/** Lambda's limits for an event source. */
const concurrency = z.coerce.number().int().min(2).max(1000);

/** The periods that CloudWatch Logs offers. */
const RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

const configSchema = z
  .object({
    /** Name of the deployment: part of every stack name, function name and URL. `prod` keeps its data by default. */
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9]{1,15}$/, '2 to 16 small letters and digits, a letter first')
      .default('dev'),
    /** Keep tables, buckets, keys and logs when stacks are deleted, and protect them from deletion; by default only in `prod`. */
    keepData: flag.optional(),
    /**
     * Key of AWS KMS that tables, buckets and queues with data of workspaces are encrypted with, in the same region; absent: keys of AWS.
     * Its policy must let the account's roles use it.
     */
    dataKeyArn: z
      .string()
      .regex(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a key, not of an alias')
      .optional(),
    /** Reader of tables: only the recogniser in the OCR layer, Amazon Textract, or a vision model on Amazon Bedrock. */
    reader: z.enum(['textract', 'bedrock', 'embedded']).default('embedded'),
    /** Vision model of the reader `bedrock`: id or ARN of a model or an inference profile. */
    bedrockModel: z
      .string()
      .regex(/^[\w.:/-]+$/, 'the id or ARN of a model or of an inference profile')
      .optional(),
    /**
     * Batch images read at the same time: 20 with the reader `embedded`, else 5. Textract takes one page per second in most
     * regions, single calls included, and five readers ask about once a second. Raise it with the quota.
     */
    batchConcurrency: concurrency.optional(),
    /** Documents of knowledge bases that are indexed at the same time. */
    documentConcurrency: concurrency.default(10),
    /** Workspaces whose sources of knowledge are read at the same time. */
    crawlConcurrency: concurrency.default(3),
    /** Asynchronous programs that run at the same time; the pool of runners limits them as well. */
    executionConcurrency: concurrency.default(20),
    /** Runs of workflows that workers continue at the same time. */
    runConcurrency: concurrency.default(20),
    /** Runs of one workspace at the same time that requests wait for, those within them included: 40 a second where a run takes 5 seconds. */
    workspaceRuns: concurrency.default(200),
    /** Messages of channels that are answered at the same time: 4 a second where a model takes 5 seconds. */
    answerConcurrency: concurrency.default(20),
    /** Functions that deliver replies of channels at the same time: ten of eighteen for high priority, two for low. */
    deliveryConcurrency: concurrency.default(18),
    /** Bedrock models that chat applications may use: ids or ARNs of models or inference profiles, separated by commas. */
    chatModels: z
      .string()
      .regex(/^[\w.:/-]+(,[\w.:/-]+)*$/, 'ids or ARNs of models or inference profiles, with commas between them')
      .transform((list) => list.split(','))
      .default([]),
    /** Largest document of a knowledge base in bytes; 100 MiB by default. */
    maxUploadSize: wholeNumber.max(500 * 2 ** 20).optional(),
    /** Days for which logs are kept: one of the periods that CloudWatch Logs offers. */
    logRetentionDays: z.coerce.number().pipe(z.literal(RETENTION_DAYS)).default(90),
    /** Lowest level that is logged. */
    logLevel: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
    /** Address that receives every alarm, once its owner has confirmed the subscription. */
    alarmEmail: z.email().optional(),
    /** Monthly costs of the AWS account in USD; the alarm topic hears of 80 % spent and of 100 % forecast. */
    monthlyBudgetUsd: z.coerce.number().positive().optional(),
    /** `off`: only the operator creates workspaces, with `npm run workspace:create`. By default `on` where `mailFrom` is given. */
    registration: z.enum(['on', 'off']).optional(),
    /** Whether a registration must confirm its e-mail address before it can cost anything; `off` trusts every address. */
    emailConfirmation: z.enum(['required', 'off']).default('required'),
    /**
     * Poster of payments: `operator` (with `npm run top-up`) and the payment provider's webhook; or `self`, where owners also post their
     * own, for deployments whose users belong to the operator.
     */
    topUps: z.enum(['operator', 'self']).default('operator'),
    /** Origins of web pages that may call the API, separated by commas: `https://app.example.com`. */
    corsOrigins: z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(origin))
      .default([]),
    /** Lifetime of access tokens. */
    accessTokenExpireMinutes: wholeNumber.max(1440).default(30),
    /** Lifetime of refresh tokens. */
    refreshTokenExpireDays: wholeNumber.max(365).default(7),
    /** Web frontend that links in mails lead to; by default the console where `consoleDomainName` names it, else the mails explain how to use their tokens with the API. */
    webUrl: z.url({ protocol: /^https$/ }).optional(),
    /** Address of the guides that error responses link to in their header `Link`; with the console, by default its own. */
    guidesUrl: z.url({ protocol: /^https$/ }).optional(),
    /** Sender of e-mails; without it the service sends none. */
    mailFrom: z.email().optional(),
    /** SES identity that `mailFrom` belongs to; by default its domain. */
    mailIdentity: z.string().optional(),
    /**
     * Minutes for which a tenth of the paid calls runs a new version before all do: 5, 10, 15 or 30. Three faults of the service within a minute
     * take the new version back. 0: all calls change at once.
     */
    canaryMinutes: z.coerce
      .number()
      .pipe(z.literal([0, 5, 10, 15, 30]))
      .default(0),
    /**
     * Collector of OpenTelemetry that functions send spans to by OTLP/HTTP, without `/v1/traces`; absent: no tracing. Functions must reach it without
     * credentials: give it a private name or an allow-list.
     */
    tracesEndpoint: z.url({ protocol: /^https?$/ }).optional(),
    /** Requests per second that API Gateway passes for all callers together. */
    requestsPerSecond: wholeNumber.default(100),
    /** Requests at once that API Gateway passes for all callers together. */
    requestBurst: wholeNumber.default(200),
    /** Requests per minute of a person or key; 0: no limit. */
    userRequestsPerMinute: perMinute.default(USER_LIMIT_PER_MINUTE),
    /** Requests per minute and address without a valid credential; 0: no limit. */
    addressRequestsPerMinute: perMinute.default(ADDRESS_LIMIT_PER_MINUTE),
    /** Chat completions per minute and caller; 0: no limit. */
    chatRequestsPerMinute: perMinute.default(CHAT_LIMIT_PER_MINUTE),
    /** Chat completions of a caller at once. */
    chatBurst: wholeNumber.max(60_000).default(CHAT_LIMIT_BURST),
    /** Free pages per workspace and day that hold no drug table or cannot be read; 0: no limit. */
    freePagesPerDay: z.coerce.number().int().min(0).max(1_000_000).default(FREE_PAGES_PER_DAY),
    /** Unpaid pages per network address and day, the ten free calls included; 0: no limit. Beyond it, workspaces without a balance get 429. */
    freePagesPerDayAndAddress: wholeOrNone.default(5_000),
    /** Unpaid pages per day of all workspaces together; 0: no limit. An alarm sounds at half of it. */
    freePagesPerDayInAll: wholeOrNone.default(50_000),
    /** Registrations with a confirmation mail per network address and day; 0: no limit. */
    registrationsPerDayAndAddress: wholeOrNone.default(50),
    /** Registrations with a confirmation mail per day in all; 0: no limit. An alarm sounds at half of it. */
    registrationsPerDayInAll: wholeOrNone.default(2_000),
    /** Uploads without `contentLength`, which S3 takes in any size at the operator's expense. */
    uploadsWithoutLength: flag.default(false),
    /** Tokens per workspace and day of models on Bedrock, which the operator pays for; 0: no limit. */
    chatTokensPerDayAndWorkspace: wholeOrNone.default(1_000_000),
    /** Tokens per day of models on Bedrock in all; 0: no limit. An alarm sounds at half of it. */
    chatTokensPerDayInAll: wholeOrNone.default(10_000_000),
    /** Price of 1,000 tokens of models of the operator in KRW, questions and answers together; 0: free. */
    priceChatKrwPer1kTokens: price,
    /** Price of a second of a program in KRW, started seconds in full; 0: free. */
    priceSandboxKrwPerSecond: price,
    /** JSON endpoint of the provider of the tool `web_search`, such as https://api.search.brave.com/res/v1/web/search; absent: no application can have the tool. */
    webSearchUrl: z.url({ protocol: /^https?$/ }).optional(),
    /** The form of its requests and answers: of Brave Search, or of SearXNG. */
    webSearchFormat: z.enum(['brave', 'searxng']).default('brave'),
    /** Secret of Secrets Manager, whose text is the key of that provider. SearXNG needs none. */
    webSearchSecretArn: z.string().startsWith('arn:').optional(),
    /** Consecutive errors of a messaging platform that open its circuit breaker. */
    breakerErrorThreshold: wholeNumber.max(1_000).default(5),
    /** Seconds within which these errors must occur. */
    breakerErrorWindowSeconds: wholeNumber.max(86_400).default(60),
    /** Seconds after which an open breaker sends one message as a probe. */
    breakerRecoveryTimeoutSeconds: wholeNumber.max(86_400).default(30),
    /** Seconds between two probes at least. */
    breakerProbeIntervalSeconds: wholeNumber.max(86_400).default(10),
    /** The web console: CloudFront and a bucket before the API, a few cents a month, idle. */
    console: flag.default(false),
    /** Domain name of the console; by default one of CloudFront. */
    consoleDomainName: z.hostname().optional(),
    /** Certificate of `consoleDomainName`, in us-east-1, where CloudFront looks for it. */
    consoleCertificateArn: z.string().startsWith('arn:').optional(),
    /** AWS WAF in front of the API: about 8 USD a month, idle; twice that with `inlineImages=container`. */
    waf: flag.default(false),
    /**
     * How images of more than about 4.4 MB arrive: through uploads, or inline at a load balancer with a container behind it
     * (about 70 USD a month, idle).
     */
    inlineImages: z.enum(['uploads', 'container']).default('uploads'),
    /** Certificate of that load balancer, in the same region. */
    intakeCertificateArn: z.string().startsWith('arn:').optional(),
    /** Host of programs: `none` (the sandbox answers 503), or a pool of containers on Fargate (about 200 USD a month, idle). */
    sandbox: z.enum(['none', 'fargate']).default('none'),
    /** Idle runners that wait for programs, about 58 USD a month each. */
    sandboxMinIdle: wholeNumber.default(2),
    /** Runners at most; each runs one program at a time. */
    sandboxMaxSize: wholeNumber.max(400).default(20),
    /** Domain name of the API. */
    domainName: z.hostname().optional(),
    /** Certificate of `domainName`, in the same region. */
    certificateArn: z.string().startsWith('arn:').optional(),
    /** Domain name of the WebSockets of chat: API Gateway serves them under a separate name. */
    socketDomainName: z.hostname().optional(),
    /** Certificate of `socketDomainName`, in the same region. */
    socketCertificateArn: z.string().startsWith('arn:').optional(),
  })
  .refine((config) => config.bedrockModel !== undefined || !readersOf(config).has('bedrock'), {
    message: 'the reader bedrock needs the id of a vision model that is enabled for the account',
    path: ['bedrockModel'],
  })
  .refine(
    ({ webSearchUrl, webSearchFormat, webSearchSecretArn }) =>
      webSearchUrl === undefined || webSearchFormat !== 'brave' || webSearchSecretArn !== undefined,
    { message: 'Brave Search needs a key: name the secret that holds it', path: ['webSearchSecretArn'] },
  )
  .refine(({ domainName, certificateArn }) => (domainName === undefined) === (certificateArn === undefined), {
    message: 'domainName and certificateArn belong together: give both or neither',
    path: ['domainName'],
  })
  .refine(
    ({ socketDomainName, socketCertificateArn }) =>
      (socketDomainName === undefined) === (socketCertificateArn === undefined),
    {
      message: 'socketDomainName and socketCertificateArn belong together: give both or neither',
      path: ['socketDomainName'],
    },
  )
  .refine(({ domainName, socketDomainName }) => domainName === undefined || domainName !== socketDomainName, {
    message: 'API Gateway serves WebSockets under another name than the rest: give a second one',
    path: ['socketDomainName'],
  })
  .refine(
    ({ consoleDomainName, consoleCertificateArn }) =>
      (consoleDomainName === undefined) === (consoleCertificateArn === undefined),
    {
      message: 'consoleDomainName and consoleCertificateArn belong together: give both or neither',
      path: ['consoleDomainName'],
    },
  )
  .refine(
    ({ inlineImages, intakeCertificateArn }) => inlineImages !== 'container' || intakeCertificateArn !== undefined,
    {
      message: 'inlineImages=container needs a certificate: its load balancer speaks HTTPS only',
      path: ['intakeCertificateArn'],
    },
  )
  .refine(({ sandboxMinIdle, sandboxMaxSize }) => sandboxMinIdle <= sandboxMaxSize, {
    message: 'more runners would wait than there may be: raise sandboxMaxSize or lower sandboxMinIdle',
    path: ['sandboxMinIdle'],
  })
  .refine(
    ({ registration, emailConfirmation, mailFrom }) =>
      registration !== 'on' || emailConfirmation === 'off' || mailFrom !== undefined,
    {
      message:
        'registered addresses are confirmed by mail: name a sender with mailFrom, or trust all addresses with emailConfirmation=off',
      path: ['registration'],
    },
  )
  .transform(({ mailIdentity, batchConcurrency, keepData, ...config }) => {
    const isProduction = config.stage === 'prod';
    return {
      ...config,
      keepData: keepData ?? isProduction,
      registration: config.registration ?? (config.mailFrom === undefined ? 'off' : 'on'),
      batchConcurrency: batchConcurrency ?? (config.reader === 'embedded' ? 20 : 5),
      mailIdentity: mailIdentity ?? config.mailFrom?.split('@')[1],
    };
  });

/** The schema of each option, by its name. */
export const optionSchemas = configSchema.in.shape;

/** Every reader that a deployment needs: its own, and those that templates ask for. */
export function readersOf({ reader }: { readonly reader: ReaderName }): ReadonlySet<ReaderName> {
  return new Set([reader, ...templateReaders]);
}

/** Options of `cdk deploy`, as context values: `npx cdk deploy --all -c stage=prod -c alarmEmail=ops@example.com`. */
export type Config = Readonly<z.output<typeof configSchema>>;

/** The options that are given, without defaults: those of the context over those of the file. */
export function givenOptions(
  contextValue: (key: string) => unknown,
  file: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const given = Object.keys(optionSchemas).flatMap((name) => {
    const value = contextValue(name) ?? file[name];
    return value === undefined || value === null || value === '' ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

/**
 * @param contextValue the value of a context key, as `node.tryGetContext` gives it.
 * @param file options of the deployment's file, which the context overrides.
 */
export function readConfig(
  contextValue: (key: string) => unknown,
  file: Readonly<Record<string, unknown>> = {},
): Config {
  const parsed = configSchema.safeParse(givenOptions(contextValue, file));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new Error(`The options of the deployment are not valid:\n${problems.join('\n')}`);
  }
  return parsed.data;
}
