import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PARSERS } from './parsers.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Packages of the service that parse no texts of tenants or strangers, beyond the types and texts of their own protocols. */
const NO_PARSERS = new Set([
  ...['@aws-lambda-powertools/batch', '@aws-lambda-powertools/logger', '@middy/core', '@opentelemetry/api'],
  '@opentelemetry/core',
  ...['@opentelemetry/otlp-transformer', '@opentelemetry/resources', '@opentelemetry/sdk-trace', 'aws-lambda'],
  // Gets messages that are parsed already, of a bounded depth.
  '@modelcontextprotocol/server',
  // Checks values that are parsed already; what it reports is bounded by `parse-input.ts`.
  'zod',
  ...['canonicalize', 'nodemailer', 'ulid', 'zod-openapi', 'esbuild', 'mdast'],
]);

/** Modules that parse what this service has written, or its operator: records, messages of its own queues and programs. */
const OWN_TEXTS = new Set([
  'functions/shared/leases/middleware/parsed-message.ts',
  'functions/accounts/domain/budgets.ts',
  'functions/adapters/chat/bedrock-model.ts',
  'functions/adapters/chat/dynamo-conversations.ts',
  'functions/adapters/chat/search/search-provider.ts',
  'functions/adapters/chat/tools/application-tools.ts',
  'functions/adapters/channels/dynamo-sent-replies.ts',
  'functions/adapters/channels/lane-items.ts',
  'functions/adapters/drug-master/file-drug-master.ts',
  'functions/adapters/drug-master/s3-drug-master.ts',
  'functions/adapters/drug-master/shipped-master.ts',
  'functions/adapters/erasure/erasable-table.ts',
  'functions/adapters/exports/zip-archive.ts',
  'functions/adapters/extraction/dynamo-extractions.ts',
  'functions/adapters/knowledge/bedrock-embeddings.ts',
  'functions/adapters/lambda/invoke-function.ts',
  'functions/adapters/readers/pool/reader-worker.ts',
  'functions/adapters/runner/runner-http.ts',
  'functions/adapters/runner/runner-process.ts',
  'functions/adapters/sandbox/execution-contents.ts',
  'functions/adapters/shared/secret.ts',
  'functions/adapters/workflows/run-contents.ts',
  'functions/chat/handlers/connect-socket.ts',
  'functions/chat/sockets/answer-message.ts',
  'functions/extraction/domain/batch/accept-batch.ts',
  'functions/extraction/domain/line/stored-reference.ts',
  'functions/mcp/call-route.ts',
  'functions/workflows/domain/engine/secret-marks.ts',
  'functions/workflows/domain/import/dify/convert-plain-nodes.ts',
]);

const LIBRARIES = new Set(PARSERS.flatMap(({ libraries = [] }) => libraries));
const MODULES = new Set(PARSERS.flatMap(({ modules }) => modules));
const OWN_PARSER =
  /^export (?:async )?function\*? (?:parsed?|read|decode|unpack|load|open)[A-Z]\w*\(\s*(?:text|bytes|xml|html|markdown|json|csv|body|content|token|cookie): (?:string|Uint8Array|Buffer)\b/m;

interface Module {
  readonly file: string;
  readonly text: string;
  readonly packages: readonly string[];
}

async function modules(): Promise<readonly Module[]> {
  const found: Module[] = [];
  for await (const file of glob('{functions,gateway}/**/*.ts', { cwd: ROOT })) {
    if (file.endsWith('.d.ts')) continue;
    const text = await readFile(`${ROOT}${file}`, 'utf8');
    const imported = [
      ...text.matchAll(/(?:^(?:import|export)(?! type)[^;]*? from |^import |\bimport\()'([^'.][^']*)'/gm),
    ];
    found.push({ file, text, packages: imported.map(([, name]) => packageOf(name!)) });
  }
  return found;
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

describe('the list of parsers', () => {
  it('says of every package of the service whether it parses texts of tenants', async () => {
    const packages = new Set((await modules()).flatMap((module) => module.packages));
    const unknown = [...packages].filter(
      (name) => !/^(?:node:|@aws-sdk\/|echarts$)/.test(name) && !LIBRARIES.has(name) && !NO_PARSERS.has(name),
    );
    expect(unknown).toEqual([]);
    for (const library of LIBRARIES) expect(packages).toContain(library);
  });

  it('names every module that parses', async () => {
    const parsing = (await modules()).filter(
      ({ text, packages }) =>
        /\b(?:JSON\.parse|boundedJson)\(/.test(text) ||
        OWN_PARSER.test(text) ||
        packages.some(
          (name) => LIBRARIES.has(name) && !/^(?:docx|pdfmake|echarts|croner|ipaddr\.js|otpauth)$/.test(name),
        ),
    );
    const files = parsing.map(({ file }) => file);
    expect(files.filter((file) => !MODULES.has(file) && !OWN_TEXTS.has(file))).toEqual([]);
  });

  it('names no module that is gone', async () => {
    const files = new Set((await modules()).map(({ file }) => file));
    expect([...MODULES, ...OWN_TEXTS].filter((file) => !files.has(file))).toEqual([]);
  });

  it.each(PARSERS.flatMap(({ name, bound }) => (bound.kind === 'linear' ? [] : [[name, bound] as const])))(
    'names threads and processes with limits: %s',
    async (_name, { kind, module }) => {
      const text = await readFile(`${ROOT}${module}`, 'utf8');
      expect(text).toMatch(kind === 'thread' ? /new BoundedThreads/ : /fork|spawn|ReaderProcess/);
    },
  );
});
