import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';

export interface LocalSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly debug: boolean;
  /** Address of the reverse proxy with TLS that all clients use; absent: they use the service's own port. */
  readonly publicUrl?: string | undefined;
  /** Web frontend that links in mails lead to; by default the service's own console. */
  readonly webUrl?: string | undefined;
  /** Stores outside this process; absent: the embedded ones of the data directory. */
  readonly stores?: ExternalStores | undefined;
}

/** DynamoDB-, S3- and SQS-compatible servers with one key for all three. */
export interface ExternalStores {
  readonly dynamodb: string;
  readonly s3: string;
  readonly sqs: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A setting that cannot be used; the message names the variable and says what it may be. */
export class InvalidSetting extends Error {}

const schema = z.object({
  PORT: z
    .string()
    .default('3000')
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      'a whole number from 0 to 65535 (0: any free port)',
    )
    .transform(Number),
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine((text) => /^[\w.:-]+$/.test(text), 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0'),
  TRIPOD_DATA_DIR: z
    .string()
    .default('.local')
    .refine((text) => text.trim() !== '', 'the path of a directory'),
  DEBUG: z
    .string()
    .default('0')
    .transform((text) => text.toLowerCase())
    .refine(
      (text) => ['', '0', '1', 'false', 'true'].includes(text),
      '1 or true to switch it on, 0 or false to switch it off',
    )
    .transform((text) => text === '1' || text === 'true'),
  PUBLIC_URL: z
    .url({ protocol: /^https$/, error: 'the https address of the reverse proxy, such as https://tripod.example.com' })
    .transform((url) => new URL(url).origin)
    .optional(),
  WEB_URL: z.url({ error: 'the address of a web frontend, such as https://app.example.com' }).optional(),
  STORES: z
    .enum(['embedded', 'external'], { error: 'embedded (in the data directory) or external (at AWS_ENDPOINT_URL_…)' })
    .default('embedded'),
});

const address = (example: string) => z.url({ protocol: /^https?$/, error: `an address such as ${example}` });

const externalSchema = z.object({
  AWS_ENDPOINT_URL_DYNAMODB: address('https://extenddb:18443'),
  AWS_ENDPOINT_URL_S3: address('http://versitygw:7070'),
  AWS_ENDPOINT_URL_SQS: address('http://elasticmq:9324'),
  AWS_REGION: z.string().default('ap-northeast-2'),
  STORES_KEY_ID: z.string({ error: 'the id of the key of all three stores' }),
  STORES_SECRET_FILE: z
    .string({ error: 'the path of a file with the secret of that key' })
    .transform((path, context) => {
      try {
        return readFileSync(path, 'utf8').trim();
      } catch (error) {
        context.addIssue({ code: 'custom', message: `the path of a readable file (${(error as Error).message})` });
        return z.NEVER;
      }
    })
    .refine((secret) => secret !== '', 'the path of a file that is not empty'),
});

/**
 * The settings of the local service from the environment.
 * @throws InvalidSetting
 */
export function readSettings(environment: Variables): LocalSettings {
  const { PORT, HOST, TRIPOD_DATA_DIR, DEBUG, PUBLIC_URL, WEB_URL, STORES } = parse(schema, environment);
  return {
    host: HOST,
    port: PORT,
    dataDirectory: resolve(TRIPOD_DATA_DIR),
    debug: DEBUG,
    ...(PUBLIC_URL !== undefined && { publicUrl: PUBLIC_URL }),
    ...(WEB_URL !== undefined && { webUrl: WEB_URL }),
    ...(STORES === 'external' && { stores: externalStores(environment) }),
  };
}

function externalStores(environment: Variables): ExternalStores {
  const given = parse(externalSchema, environment);
  return {
    dynamodb: given.AWS_ENDPOINT_URL_DYNAMODB,
    s3: given.AWS_ENDPOINT_URL_S3,
    sqs: given.AWS_ENDPOINT_URL_SQS,
    region: given.AWS_REGION,
    accessKeyId: given.STORES_KEY_ID,
    secretAccessKey: given.STORES_SECRET_FILE,
  };
}

type Variables = Readonly<Record<string, string | undefined>>;

function parse<Schema extends z.ZodObject>(schema: Schema, environment: Variables): z.infer<Schema> {
  const result = schema.safeParse(environment);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    const value = environment[name];
    return `${name} is ${value === undefined ? 'not set' : JSON.stringify(value)}; it must be ${message}.`;
  });
  throw new InvalidSetting(lines.join('\n'));
}
