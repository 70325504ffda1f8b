import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverNoticesWorker } from '../../functions/accounts/workers.ts';
import { outboxItem } from '../../functions/adapters/accounts/dynamo-outbox.ts';
import { SHIPPED_MASTER } from '../../functions/adapters/drug-master/shipped-master.ts';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { userKey } from '../../functions/adapters/dynamodb/keys.ts';
import { channelsRoutes } from '../../functions/channels/routes.ts';
import { knowledgeRoutes } from '../../functions/knowledge/routes.ts';
import { routes } from '../../functions/routes.ts';
import { handlerModule } from '../../functions/shared/handler-module.ts';
import { memoizeAsync } from '../../functions/shared/memoize-async.ts';
import { openApiDocument } from '../../functions/system/openapi/openapi-document.ts';
import { workers } from '../../functions/workers.ts';
import { workflowRoutes } from '../../functions/workflows/routes.ts';
import { bundleFunctions } from '../../lib/packaging/bundle-functions.ts';
import { filesOf, folderBytes } from '../../lib/packaging/files-of.ts';
import { functionEntries } from '../../lib/packaging/function-entries.ts';
import { buildOcrLayer } from '../../lib/packaging/ocr-layer.ts';
import type { Cpu } from '../../lib/packaging/ocr-layer-contents.ts';
import { zipFolder } from '../../lib/packaging/zip-folder.ts';
import { API_KEY_TOKEN } from '../../local/events/build-events.ts';
import { type InProcessService, startService } from '../helpers/service.ts';

const SCAN = fileURLToPath(new URL('../../docs/sample-page.png', import.meta.url));
const VERSION = { version: 'test', serverUrl: '../..' };
const MEGABYTE = 1_000_000;
const run = promisify(execFile);

const buffered = routes.filter(({ stream }) => !stream);
/**
 * One function a service and those whose content a test looks at; with `FUNCTIONS=all` (`npm run test:nightly`) every one: bundling two
 * hundred takes longer than all other tests of templates.
 */
const bundled =
  process.env.FUNCTIONS === 'all'
    ? [...routes, ...workers]
    : [
        ...new Map(buffered.toReversed().map((route) => [route.id.split('.')[0], route])).values(),
        ...buffered.filter(({ id }) => id === 'extraction.extract' || id === 'system.get-openapi'),
        deliverNoticesWorker,
      ];
const bundledRoutes = buffered.filter((route) => bundled.includes(route));

/** Other than 200: the id of the example does not exist, and on Lambda there are no runners yet. */
const expectedStatus: Readonly<Record<string, number>> = {
  // Payments are the operator's and the payment provider's, and there is none yet.
  'accounts.top-up': 403,
  'accounts.post-payment': 503,
  'accounts.create-api-key': 201,
  'accounts.revoke-api-key': 404,
  'accounts.register': 201,
  'accounts.refresh': 401,
  // Their events come with an API key, and they are for users.
  'accounts.logout': 401,
  'accounts.change-password': 401,
  'accounts.request-confirmation': 401,
  'accounts.confirm-email': 400,
  'accounts.request-password-reset': 202,
  'accounts.reset-password': 400,
  'accounts.accept-invitation': 400,
  'accounts.request-deletion': 401,
  'accounts.cancel-deletion': 401,
  'accounts.start-export': 401,
  'accounts.get-export': 401,
  'accounts.invite-member': 201,
  'accounts.change-member': 404,
  'accounts.remove-member': 404,
  'extraction.remove-extraction': 404,
  'extraction.put-review': 404,
  'extraction.get-picture': 404,
  'extraction.remove-picture': 404,
  'extraction.remove-job': 404,
  'chat.create-application': 201,
  'chat.get-application': 404,
  'chat.change-application': 404,
  'chat.remove-application': 404,
  'chat.create-access-token': 404,
  'chat.list-access-tokens': 404,
  'chat.change-access-token': 404,
  'chat.revoke-access-token': 404,
  'chat.list-models': 404,
  'chat.get-model': 404,
  'chat.list-conversations': 404,
  'chat.list-messages': 404,
  'chat.remove-conversation': 404,
  'chat.rate-message': 404,
  'chat.get-response': 404,
  'chat.list-input-items': 404,
  'chat.cancel-response': 404,
  'mcp.get-stream': 405,
  'mcp.remove-session': 405,
  'chat.remove-response': 404,
  'chat.create-embeddings': 404,
  'knowledge.create-knowledge-base': 201,
  ...Object.fromEntries(
    knowledgeRoutes.filter(({ path }) => path.includes('{id}')).map(({ id }) => [id, 404] as const),
  ),
  ...Object.fromEntries(
    [...channelsRoutes, ...workflowRoutes].filter(({ path }) => path.includes('{')).map(({ id }) => [id, 404] as const),
  ),
  'channels.create-channel': 422,
  'channels.test-channel': 404,
  'channels.replay-dead-letters': 202,
  'workflows.create-workflow': 201,
  'workflows.import-workflow': 201,
  'accounts.set-budget': 404,
  'accounts.list-sessions': 401,
  'accounts.end-session': 401,
  'accounts.get-second-factor': 401,
  'accounts.enrol-second-factor': 401,
  'accounts.confirm-second-factor': 401,
  'accounts.replace-recovery-codes': 401,
  'accounts.disable-second-factor': 401,
  'accounts.get-sso': 401,
  'accounts.configure-sso': 401,
  'accounts.remove-sso': 401,
  'accounts.prove-sso-domains': 401,
  'accounts.begin-sign-in': 404,
  'accounts.complete-sign-in': 400,
  'accounts.remove-budget': 404,
  'extraction.extract-batch-async': 202,
  'extraction.get-extraction': 404,
  'extraction.get-job': 404,
  'extraction.remove-own-list': 204,
  'sandbox.create-upload': 200,
  'sandbox.execute-async': 503,
  'sandbox.cancel-execution': 404,
  'sandbox.list-session': 404,
  'sandbox.remove-session': 404,
  'sandbox.list-languages': 503,
};

/** Invokes buffered handlers, each on the event in a file: its arguments are module, event, module, event and so on. */
const INVOKE = `
  const { readFileSync } = await import('node:fs');
  const context = { awsRequestId: 'test', getRemainingTimeInMillis: () => 100_000 };
  const answers = [];
  for (let at = 1; at < process.argv.length; at += 2) {
    const { handler } = await import(process.argv[at]);
    answers.push(await handler(JSON.parse(readFileSync(process.argv[at + 1], 'utf8')), context));
  }
  process.stdout.write(JSON.stringify(answers), () => process.exit());`;

/** The layer for this machine's processor, so that its content can be run. It needs Linux, as Lambda does. */
describe.runIf(process.platform === 'linux')('the bundle with the OCR layer', () => {
  let service: InProcessService;
  let temporary: string;
  let layer: string;
  let functions: string;
  beforeAll(async () => {
    service = await startService();
    temporary = await mkdtemp(join(tmpdir(), 'tripod-layer-'));
    layer = await buildOcrLayer(process.arch as Cpu, join(temporary, 'opt'));
    functions = join(temporary, 'functions');
    const probes = { 'pdf-probe': 'test/stack/pdf-probe.ts', 'document-probe': 'test/stack/document-probe.ts' };
    const entries = { ...probes, ...functionEntries(bundled) };
    await bundleFunctions({ outdir: functions, entries });
    // Two hundred bundles at most, in parallel with another test file.
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await rm(temporary, { recursive: true });
  });

  /** As on Lambda: packages of a layer are found through NODE_PATH, and nothing of this repository is in reach. */
  const lambda = async (script: string, args: string[], environment: NodeJS.ProcessEnv = {}) => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, ...args], {
      cwd: temporary,
      env: {
        ...service.aws.environment,
        NODE_PATH: join(layer, 'nodejs/node_modules'),
        OCR_DIR: join(layer, 'ocr'),
        READER: 'embedded',
        DRUG_MASTER: SHIPPED_MASTER.href,
        SIGNING_KEY_FILE: join(temporary, 'signing-key'),
        LOG_LEVEL: 'SILENT',
        ...environment,
      },
      maxBuffer: 16 * MEGABYTE,
    });
    return stdout;
  };
  const urlOf = (entry: string) => pathToFileURL(join(functions, entry, 'index.mjs')).href;

  /** All in one process: starting one for each would take longer than everything else here. */
  const invoked = memoizeAsync(async () => {
    const events = await Promise.all(
      bundledRoutes.map(async ({ id }) => {
        const event = join(temporary, `${id}.json`);
        const example = await readFile(new URL(`../../events/${id}.json`, import.meta.url), 'utf8');
        await writeFile(event, example.replaceAll(API_KEY_TOKEN, service.apiKey));
        return [urlOf(handlerModule({ id })), event];
      }),
    );
    const output = await lambda(INVOKE, events.flat());
    // Metrics go to the same output, a line each; the answers come last, in one line.
    const answers = JSON.parse(output.slice(output.lastIndexOf('\n') + 1)) as { statusCode: number; body: string }[];
    return new Map(bundledRoutes.map(({ id }, index) => [id, answers[index]!]));
  });

  it.each(bundledRoutes)('answers as $id', async (route) => {
    const { statusCode, body } = (await invoked()).get(route.id)!;
    expect(statusCode, body).toBe(expectedStatus[route.id] ?? 200);
    if (route.id === 'extraction.extract') expect(JSON.parse(body)).toMatchObject({ foundTable: true });
  });

  it('serves the whole OpenAPI document, though routes are bundled without what documents them', async () => {
    const { body } = (await invoked()).get('system.get-openapi')!;
    expect(JSON.parse(body).paths).toEqual(JSON.parse(JSON.stringify(openApiDocument(routes, VERSION).paths)));
  });

  it('composes mail', async () => {
    // In a table that the service in this process does not deliver from.
    const { EXTRACTIONS_TABLE } = service.aws.environment;
    const notice = { noticeId: 'n-1', workspaceId: 'ws_1', balanceKrw: 1, thresholdKrw: 2 };
    for (const Item of [
      outboxItem({ ...notice, createdAt: new Date().toISOString() }),
      { ...userKey('ws_1', 'usr_1'), email: 'owner@example.com', role: 'owner' },
    ])
      await dynamoClient().send(new PutCommand({ TableName: EXTRACTIONS_TABLE, Item }));
    const event = join(temporary, 'schedule.json');
    await writeFile(event, '{}');
    const environment = { ACCOUNTS_TABLE: EXTRACTIONS_TABLE, MAIL_FROM: 'alerts@tripod.example', MAIL_DIR: temporary };
    await lambda(INVOKE, [urlOf(handlerModule(deliverNoticesWorker)), event], environment);
    expect(await readFile(join(temporary, 'n-1.eml'), 'utf8')).toContain('Message-ID: <n-1@tripod.example>');
  });

  it('finds the PDF engine', async () => {
    expect(await lambda('await import(process.argv[1])', [urlOf('pdf-probe')])).toBe('1 page of 200 × 200\n');
  });

  it('reads documents in a thread', async () => {
    const read = JSON.parse(await lambda('await import(process.argv[1])', [urlOf('document-probe')], { SCAN }));
    expect(read).toMatchObject({ pages: 1, passages: 1, text: 'Hello from a page' });
    expect(read.scanned).toContain('케이캡정50밀리그램');
  });

  it('stays within its limit, and with each function within that of Lambda', () => {
    const layerBytes = folderBytes(layer);
    console.log(`OCR layer, linux-${process.arch}: ${(layerBytes / MEGABYTE).toFixed(1)} MB unzipped`);
    expect(layerBytes).toBeLessThanOrEqual(120 * MEGABYTE);
    const assets = bundled.map((entry) => folderBytes(join(functions, handlerModule(entry))));
    expect(layerBytes + Math.max(...assets)).toBeLessThanOrEqual(250 * MEGABYTE);
  });

  it('goes up as a zip of the same files, readable for Lambda', async () => {
    const folder = join(layer, 'nodejs/node_modules/semver');
    const archive = join(temporary, 'layer.zip');
    await zipFolder(folder, archive);
    const bytes = await readFile(archive);
    const unzipped = unzipSync(bytes);
    expect(Object.keys(unzipped).sort()).toEqual(filesOf(folder));
    for (const [name, content] of Object.entries(unzipped))
      expect(Buffer.compare(content, await readFile(join(folder, name))), name).toBe(0);
    await zipFolder(folder, archive);
    expect(Buffer.compare(bytes, await readFile(archive))).toBe(0);
  });
});
