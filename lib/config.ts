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
const perMinute = z.coerce.number().int().min(0).max(60_000);
/** As browsers name it: no path, no slash at its end. */
const origin = z
  .string()
  .regex(
    /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/,
    'an origin such as https://app.example.com, in small letters and without a path',
  );
/** What Lambda takes for an event source. */
const concurrency = z.coerce.number().int().min(2).max(1000);

/** The periods that CloudWatch Logs offers. */
const RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

const configSchema = z
  .object({
    /** Name of the deployment: part of every stack and function name, and of the URL. `prod` keeps its data for good. */
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9]{1,15}$/, '2 to 16 small letters and digits, a letter first')
      .default('dev'),
    /** What reads the tables: Amazon Textract, a vision model on Amazon Bedrock, or the recogniser in the OCR layer alone. */
    reader: z.enum(['textract', 'bedrock', 'embedded']).default('textract'),
    /** The vision model of the reader `bedrock`: its id or ARN, or those of an inference profile. */
    bedrockModel: z
      .string()
      .regex(/^[\w.:/-]+$/, 'the id or ARN of a model or of an inference profile')
      .optional(),
    /**
     * Images of batches that are read at the same time: 20 where our own recogniser reads, else 5. Textract takes ten pages a
     * second in its largest regions and one in most, single calls among them; a page takes some seconds, so that five
     * readers ask about once a second. Raise it with the quota.
     */
    batchConcurrency: concurrency.optional(),
    /** Models on Bedrock that chat applications may use: their ids or ARNs, or those of inference profiles, with commas. */
    chatModels: z
      .string()
      .regex(/^[\w.:/-]+(,[\w.:/-]+)*$/, 'ids or ARNs of models or inference profiles, with commas between them')
      .transform((list) => list.split(','))
      .default([]),
    /** Bytes of a document for a knowledge base; 100 MiB by default. */
    maxUploadSize: wholeNumber.max(500 * 2 ** 20).optional(),
    logRetentionDays: z.coerce.number().pipe(z.literal(RETENTION_DAYS)).default(90),
    logLevel: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
    /** Gets a mail for every alarm, once its owner has confirmed the subscription. */
    alarmEmail: z.email().optional(),
    /** Costs of the account in a month, in USD, of which 80 % spent or 100 % forecast are reported to the topic of alarms. */
    monthlyBudgetUsd: z.coerce.number().positive().optional(),
    /** `off`: workspaces are made by `npm run workspace:create` alone. */
    registration: z.enum(['on', 'off']).default('on'),
    /**
     * Who posts payments: `operator`, with `npm run top-up`, and the payment provider by its webhook; or `self`, owners as
     * well, for deployments whose users are the operator's own.
     */
    topUps: z.enum(['operator', 'self']).default('operator'),
    /** Origins of web frontends whose pages may call the API, with commas: `https://app.example.com`. By default none. */
    corsOrigins: z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(origin))
      .default([]),
    accessTokenExpireMinutes: wholeNumber.max(1440).default(30),
    refreshTokenExpireDays: wholeNumber.max(365).default(7),
    /** Web frontend that the links of mails lead to; without one the mails say how to use their tokens with the API. */
    webUrl: z.url({ protocol: /^https$/ }).optional(),
    /** Sender of e-mails; without one there are none. */
    mailFrom: z.email().optional(),
    /** The identity, verified in SES, that `mailFrom` belongs to; by default its domain. */
    mailIdentity: z.string().optional(),
    /** Requests a second, and at once, that API Gateway lets through for all callers together. */
    requestsPerSecond: wholeNumber.default(100),
    requestBurst: wholeNumber.default(200),
    /** Requests a minute of a user or a key, and of an address without a valid credential; 0: no limit. */
    userRequestsPerMinute: perMinute.default(USER_LIMIT_PER_MINUTE),
    addressRequestsPerMinute: perMinute.default(ADDRESS_LIMIT_PER_MINUTE),
    /** Chat completions of a caller: a minute, 0: no limit; and at once. */
    chatRequestsPerMinute: perMinute.default(CHAT_LIMIT_PER_MINUTE),
    chatBurst: wholeNumber.max(60_000).default(CHAT_LIMIT_BURST),
    /** Pages a day and workspace that are free of charge because they hold no drug table, or cannot be read; 0: no limit. */
    freePagesPerDay: z.coerce.number().int().min(0).max(1_000_000).default(FREE_PAGES_PER_DAY),
    /** Circuit breaker of each messaging platform: so many errors in a row, */
    breakerErrorThreshold: wholeNumber.max(1_000).default(5),
    /** within so many seconds, stop deliveries to it; */
    breakerErrorWindowSeconds: wholeNumber.max(86_400).default(60),
    /** so many seconds later one message is sent as a probe, */
    breakerRecoveryTimeoutSeconds: wholeNumber.max(86_400).default(30),
    /** and further probes at least so many seconds apart. */
    breakerProbeIntervalSeconds: wholeNumber.max(86_400).default(10),
    /** AWS WAF in front of the API: about 8 USD a month, idle; twice that with the container intake. */
    waf: flag.default(false),
    /**
     * What takes inline images of more than about 4.4 MB, up to 18 MB: nothing, they go through uploads; or a load balancer
     * with a container behind it, about 70 USD a month, idle.
     */
    inlineImages: z.enum(['uploads', 'container']).default('uploads'),
    /** Certificate of the container's load balancer, in the same region. */
    intakeCertificateArn: z.string().startsWith('arn:').optional(),
    /**
     * What runs programs: nothing, and the routes of the sandbox answer 503; or a pool of containers on Fargate, about 200 USD
     * a month, idle.
     */
    sandbox: z.enum(['none', 'fargate']).default('none'),
    /** Free runners that wait for programs, about 58 USD a month each. */
    sandboxMinIdle: wholeNumber.default(2),
    /** Runners in all: as many programs run at the same time. */
    sandboxMaxSize: wholeNumber.max(400).default(20),
    /** Own name of the API, with its certificate in the same region. */
    domainName: z.hostname().optional(),
    certificateArn: z.string().startsWith('arn:').optional(),
  })
  .refine((config) => config.bedrockModel !== undefined || !readersOf(config).has('bedrock'), {
    message: 'the reader bedrock needs the id of a vision model that is enabled for the account',
    path: ['bedrockModel'],
  })
  .refine(({ domainName, certificateArn }) => (domainName === undefined) === (certificateArn === undefined), {
    message: 'domainName and certificateArn belong together: give both or neither',
    path: ['domainName'],
  })
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
  .transform(({ mailIdentity, batchConcurrency, ...config }) => {
    const isProduction = config.stage === 'prod';
    return {
      ...config,
      isProduction,
      batchConcurrency: batchConcurrency ?? (config.reader === 'embedded' ? 20 : 5),
      mailIdentity: mailIdentity ?? config.mailFrom?.split('@')[1],
    };
  });

/** Every reader that a deployment needs: its own, and those that templates ask for. */
export function readersOf({ reader }: { readonly reader: ReaderName }): ReadonlySet<ReaderName> {
  return new Set([reader, ...templateReaders]);
}

/** What can be chosen at `cdk deploy`, as context values: `npx cdk deploy --all -c stage=prod -c alarmEmail=ops@example.com`. */
export type Config = Readonly<z.output<typeof configSchema>>;

/** @param contextValue the value of a context key, as `node.tryGetContext` gives it. */
export function readConfig(contextValue: (key: string) => unknown): Config {
  const names = Object.keys(configSchema.in.shape);
  const given = names.flatMap((name) => {
    const value = contextValue(name);
    return value === undefined || value === null || value === '' ? [] : [[name, value]];
  });
  const parsed = configSchema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new Error(`The CDK context is not valid:\n${problems.join('\n')}`);
  }
  return parsed.data;
}
