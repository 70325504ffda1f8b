import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { settings } from '../../functions/shared/environment.ts';
import { optionSchemas } from '../../lib/config.ts';
import { localEnvironment } from '../../local/environment.ts';
import { table } from './table.ts';

const INTRODUCTION = `# Configuration

Options of a deployment and settings of a local service. Generated from their schemas by \`npm run docs\`.

## Deployment

Write options into \`deploy/<stage>.json\`, whose \`$schema\` is \`./options.schema.json\`, and deploy with \`npx cdk deploy --all -c stage=<stage>\`.
Context values, \`-c alarmEmail=ops@example.com\`, override the file. An option that is in neither reverts to its default. An unknown name or a
wrong value stops synthesis with a message that names the option.
`;

const LOCAL = `## Local service

\`npm start\` reads these environment variables. A wrong value stops the start with a message that names the variable.
`;

/** Settings of \`npm start\` itself, from local/settings.ts. */
const START: readonly (readonly string[])[] = [
  ['`PORT`', '`3000`', 'Port to listen on; 0: any free port'],
  ['`HOST`', '`127.0.0.1`', 'Address to listen on. On a loopback address the service answers to loopback names only'],
  ['`TRIPOD_DATA_DIR`', '`.local`', 'Directory of all data, with the demo workspace’s `credentials.json`'],
  ['`DEBUG`', '`0`', '1: interactive documentation at `/docs`'],
  ['`PUBLIC_URL`', '', 'https address of the reverse proxy that clients use: see [on premises](on-premises.md)'],
  ['`STORES`', '`embedded`', '`external`: stores at `AWS_ENDPOINT_URL_…`: see [on premises](on-premises.md)'],
  ['`MAIL_FROM`', '`tripod@tripod.localhost`', 'Sender of mails'],
];

/** The text of docs/configuration.md. */
export function configurationPage(): string {
  const optionComments = comments('lib/config.ts');
  const options = Object.entries(optionSchemas).map(([name, schema]) => [
    `\`${name}\``,
    defaultOf(schema),
    valuesOf(schema),
    optionComments.get(name) ?? '',
  ]);
  const settingComments = comments('functions/shared/environment.ts');
  const fixed = Object.keys(localEnvironment({ dataDirectory: '.', debug: false }));
  const local = Object.entries(settings)
    .map(([name, schema]) => [name, schema() as z.ZodType] as const)
    .filter(([name, schema]) => schema.safeParse(undefined).success && !fixed.includes(name) && !isHosted(name))
    .map(([name, schema]) => [`\`${name}\``, defaultOf(schema), settingComments.get(name) ?? '']);
  return [
    INTRODUCTION,
    `${table(['option', 'default', 'values', ''], options)}\n`,
    LOCAL,
    `${table(['variable', 'default', ''], [...START, ...local])}\n`,
  ].join('\n');
}

/** Settings that only the stacks give to functions. */
function isHosted(name: string): boolean {
  return /^(AWS_|POWERTOOLS_|SOCKETS_|SIGNING_KEY_SECRET$|PAYMENT_SECRET$|WEB_SEARCH_SECRET$|BEDROCK_MODEL$)/.test(
    name,
  );
}

function defaultOf(schema: z.ZodType): string {
  const { data } = schema.safeParse(undefined);
  if (data === undefined) return '';
  const text = Array.isArray(data)
    ? data.join(',')
    : typeof data === 'boolean'
      ? booleanText(schema, data)
      : String(data);
  return text === '' ? '' : `\`${text}\``;
}

/** Flags of the environment are 0 and 1, those of the CDK true and false. */
function booleanText(schema: z.ZodType, value: boolean): string {
  return schema.safeParse('false').data === false ? String(value) : value ? '1' : '0';
}

function valuesOf(schema: z.ZodType): string {
  if (schema.safeParse('true').data === true) return '`true`, `false`';
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json;
  const one = json.anyOf?.every(({ const: value }) => value !== undefined)
    ? json.anyOf.map((each) => each.const)
    : json.enum;
  if (one) return one.map((value) => `\`${value}\``).join(', ');
  if (json.type === 'integer' || json.type === 'number') return range(json);
  return FORMATS[json.format ?? ''] ?? '';
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'e-mail address',
  uri: 'https address',
  hostname: 'host name',
};

interface Json {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

function range({ minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER, type }: Json): string {
  const from = minimum ?? exclusiveMinimum;
  const kind = type === 'integer' ? 'whole number' : 'number';
  const low =
    from === undefined || from < -1e9 ? '' : exclusiveMinimum === undefined ? `from ${from}` : `above ${from}`;
  const high = maximum >= Number.MAX_SAFE_INTEGER ? '' : `to ${maximum.toLocaleString('en-US')}`;
  return [kind, low, high].filter((part) => part !== '').join(' ');
}

/** The doc comment before each member of an object, by the member's name. */
function comments(file: string): ReadonlyMap<string, string> {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const found = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2,4}(\w+):/g);
  return new Map(
    [...found].map(([, text, name]) => [
      name!,
      text!
        .replaceAll(/\s*\n\s*\*\s*|\s+/g, ' ')
        .trim()
        .replace(/\.$/, ''),
    ]),
  );
}
