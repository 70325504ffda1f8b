import { gzipSync } from 'node:zlib';
import { DOCUMENT_TYPES } from '../../functions/knowledge/domain/knowledge-base.ts';
import { toGraphResponse } from '../../functions/workflows/graph-wire.ts';
import { mutated } from '../../test/fuzz/mutate.ts';
import type { FuzzedService } from '../../test/fuzz/service.ts';
import { documents } from '../../test/fuzz/targets/documents.ts';
import { images } from '../../test/fuzz/targets/images.ts';
import { spreadsheets } from '../../test/fuzz/targets/spreadsheets.ts';
import { call } from '../../test/helpers/api.ts';
import { applicationOn, complete } from '../../test/helpers/chat.ts';
import { addCall, createBase, uploadFile } from '../../test/helpers/knowledge.ts';
import { pdfOf } from '../../test/helpers/pdf.ts';
import { callsTool, says, scriptedProvider } from '../../test/helpers/scripted-provider.ts';
import { toolServer, WEATHER_API } from '../../test/helpers/tool-servers.ts';
import { startWebsite } from '../../test/helpers/website.ts';
import { envelope, publishedWorkflow } from '../../test/helpers/workflows/calls.ts';
import { graph, node } from '../../test/helpers/workflows/graphs.ts';
import type { Random } from '../corpus/random.ts';

/** A workspace that attacks. */
export interface Attacker {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
}

/** Hostile texts for one entry of the list of parsers, and their way into a service. */
export interface Attack {
  /** The next input: a bomb, or a damaged valid text. */
  next(random: Random): Promise<Buffer>;
  /** @returns the status of the answer; 0 where there was none. */
  send(input: Buffer): Promise<number>;
}

const MB = 2 ** 20;
const BOMBS = 0.25;

/** Bombs, and damaged forms of valid texts. */
function inputs(valid: readonly (string | Buffer)[], bombs: readonly (() => string | Buffer)[]) {
  return async (random: Random): Promise<Buffer> => {
    if (random.chance(BOMBS)) return Buffer.from(random.pick(bombs)() as string);
    return mutated(Buffer.from(random.pick(valid) as string), random);
  };
}

const status = (answer: Promise<{ readonly status: number }>) =>
  answer.then(
    (known) => known.status,
    () => 0,
  );

async function templates(attacker: Attacker): Promise<Attack> {
  const draft = (syntax: string, template: string) =>
    graph([node('start', 'start'), node('t', 'template', { syntax, template })], ['start > t']);
  const id = await publishedWorkflow(attacker, draft('liquid', 'x'));
  const syntaxes = ['liquid', 'jinja2'] as const;
  return {
    next: inputs(
      ['{% for i in (1..3) %}{{ i | times: 2 }}{% endfor %}', '{% set a = [1, 2] %}{{ a | join(",") }}'],
      [
        () => '\n'.repeat(90_000),
        () => '{% assign a = (1..500000) | sort %}',
        () => '{% for i in (1..9999999) %}{% for j in (1..9999999) %}x{% endfor %}{% endfor %}',
        () => '{{ "a" | replace: "a", "aaaaaaaaaa" }}'.repeat(2_000),
        () => '{% if a %}'.repeat(9_000),
        () => `{{ ${'('.repeat(20_000)} }}`,
      ],
    ),
    async send(input) {
      const syntax = syntaxes[(input[0] ?? 0) % 2]!;
      const changed = { graph: toGraphResponse(draft(syntax, input.toString())) };
      const patched = await status(envelope(attacker, 'PATCH', `/workflows/${id}`, changed));
      if (patched !== 200) return patched;
      return status(envelope(attacker, 'POST', `/workflows/${id}/nodes/t/run`, {}));
    },
  };
}

async function yaml(attacker: Attacker): Promise<Attack> {
  return {
    next: inputs(
      ['app:\n  name: x\n  mode: workflow\nworkflow:\n  graph:\n    nodes: []\n    edges: []\n'],
      [
        () => '['.repeat(MB),
        () => `a: "${'\\x41'.repeat(500_000)}"`,
        () => `a: &a [${'x,'.repeat(50)}]\n${Array.from({ length: 9 }, (_, i) => `a${i}: &b${i} [*a,*a]`).join('\n')}`,
        () => '- '.repeat(100_000),
        () => `? ${'a'.repeat(MB)}\n`.repeat(3),
      ],
    ),
    send: (input) => status(envelope(attacker, 'POST', '/workflows/import', { dsl: input.toString() })),
  };
}

async function ownLists(attacker: Attacker, service: FuzzedService): Promise<Attack> {
  const damaged = await spreadsheets.start(service);
  const bombs = [
    () => gzipSync(`code,name\n${',\n'.repeat(8 * MB)}`),
    () => Buffer.from(`code,name\n${'"'.repeat(2 * MB)}`),
    () => gzipSync(Buffer.alloc(200 * MB, 'a')),
  ];
  return {
    next: async (random) => (random.chance(BOMBS) ? random.pick(bombs)() : damaged.input(random)),
    send: (input) =>
      status(call(attacker, 'PUT', '/api/v1/drug-master/own', { body: { file: input.toString('base64') } })),
  };
}

/** Documents of each type: the first byte of an input chooses it, as in the fuzzer. */
async function files(attacker: Attacker, service: FuzzedService): Promise<Attack> {
  const damaged = await documents.start(service);
  const base = await createBase(attacker);
  const names = [
    ...['docx', 'pptx', 'xlsx', 'epub', 'eml', 'csv', 'json', 'html', 'hwp', 'hwpx', 'odt', 'rtf', 'doc', 'pdf'],
  ] as const;
  const mediaTypeOf = (name: string) => Object.entries(DOCUMENT_TYPES).find(([, type]) => type === name)![0];
  const as = (name: (typeof names)[number], content: string | Buffer) =>
    Buffer.concat([Buffer.of(names.indexOf(name)), Buffer.from(content as string)]);
  const bombs = [
    () => as('json', `{"${'n'.repeat(16_000)}":[${'1,'.repeat(7_999)}1]}`),
    () => as('json', '['.repeat(5 * MB)),
    () => as('csv', `${'n'.repeat(8_000)},${'m'.repeat(8_000)}\n${'1,2\n'.repeat(400_000)}`),
    () => as('html', '<div>'.repeat(200_000) + '</b>'.repeat(200_000)),
    () => as('rtf', `{\\rtf1${'{\\v\\u44032?x}'.repeat(500_000)}`),
    () => as('eml', `Subject: ${'=?utf-8?B?'.repeat(100_000)}\r\n\r\nx`),
  ];
  const pdf = pdfOf('640000010 1 2 3', 'Second page');
  return {
    async next(random) {
      if (random.chance(BOMBS)) return random.pick(bombs)();
      return random.chance(0.1) ? as('pdf', mutated(pdf, random)) : damaged.input(random);
    },
    async send(input) {
      try {
        const type = mediaTypeOf(names[input[0]!]!);
        const upload_id = await uploadFile(attacker, base.id, input.subarray(1), type);
        return (await addCall(attacker, base.id, { upload_id })).status;
      } catch {
        return 0;
      }
    },
  };
}

async function texts(attacker: Attacker): Promise<Attack> {
  const base = await createBase(attacker);
  return {
    next: inputs(
      ['# 환불\n\n7일 **안에** [x](https://example.com)\n\n- a\n- b\n', '<p>a<b>c</b></p>'],
      [() => '<i>'.repeat(5_400) + '</b>'.repeat(4_000), () => '[](#'.repeat(8_000), () => '가'.repeat(10_900)],
    ),
    send: (input) => status(addCall(attacker, base.id, { text: input.toString() || 'x' })),
  };
}

async function websites(attacker: Attacker): Promise<Attack> {
  const site = await startWebsite();
  const base = await createBase(attacker);
  const robots = inputs(
    ['User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml\n'],
    [
      () => `User-agent: *\n${`Disallow: ${'/*a'.repeat(50)}$\n`.repeat(400)}`,
      () => '<url><loc>a</loc></url>'.repeat(220_000),
      () => '<div>'.repeat(50_000) + '</b>'.repeat(50_000),
      () => `<html><head>${'<link rel="canonical" href="'.repeat(50_000)}`,
    ],
  );
  let sent = 0;
  return {
    next: robots,
    async send(input) {
      const body = input.toString();
      site.pages.set('/robots.txt', { body, type: 'text/plain' });
      site.pages.set('/sitemap.xml', { body, type: 'application/xml' });
      sent += 1;
      site.pages.set(`/${sent}/`, { body });
      const url = `${site.origin}/${sent}/`;
      const path = `/api/v1/knowledge-bases/${base.id}/sources`;
      const added = await call(attacker, 'POST', path, { body: { type: 'website', url } }).catch(() => null);
      if (added?.status !== 201 && added?.status !== 202) return added?.status ?? 0;
      const { id } = (added.json as { data: { id: string } }).data;
      for (let n = 0; n < 20; n++) {
        const { json } = await call(attacker, 'GET', `${path}/${id}`);
        if ((json as { data: { status: string } }).data.status !== 'crawling') break;
        await new Promise((later) => setTimeout(later, 100));
      }
      return status(call(attacker, 'DELETE', `${path}/${id}`));
    },
  };
}

async function bodies(attacker: Attacker): Promise<Attack> {
  const { baseUrl, apiKey } = attacker;
  return {
    next: inputs(
      ['{"name":"x","type":"chat","config":{"tools":[]}}', '{"image":"aGVsbG8=","options":{"a":[1,2,{"b":null}]}}'],
      [
        () => '['.repeat(17 * MB),
        () => `{"image":"${'\\n'.repeat(8 * MB)}"}`,
        () => `{${Array.from({ length: 200_000 }, (_, i) => `"${i}":1`).join(',')}}`,
        () => `{"image":"${'A'.repeat(17 * MB)}"}`,
      ],
    ),
    async send(input) {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      const path = input.length % 2 === 0 ? '/api/v1/edi-extract-lite/extract' : '/api/v1/execute/async';
      return status(fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: new Uint8Array(input) }));
    },
  };
}

/** A hostile model, a hostile server of the Model Context Protocol and a hostile server behind an OpenAPI document. */
async function tools(attacker: Attacker): Promise<Attack> {
  const provider = await scriptedProvider();
  let hostile: Buffer = Buffer.from('{}');
  const server = await toolServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(hostile);
  });
  const weather = {
    type: 'http',
    name: 'weather',
    openapi: WEATHER_API,
    server: server.url,
    operation_id: 'getWeather',
  };
  const asked = await applicationOn(attacker, provider.baseUrl, { tools: [weather] });
  const mcp = await applicationOn(attacker, provider.baseUrl, {
    tools: [{ type: 'mcp', name: 'm', server: server.url }],
  });
  const model = await applicationOn(attacker, provider.baseUrl);
  const messages = [{ role: 'user', content: 'x' }];
  return {
    next: inputs(
      [
        '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}',
        'data: {"id":"1","choices":[{"delta":{"content":"x"},"index":0}]}\n\ndata: [DONE]\n\n',
        '{"celsius":21}',
      ],
      [
        () => '['.repeat(8 * MB),
        () => `{${Array.from({ length: 200_000 }, (_, i) => `"${i}":1`).join(',')}}`,
        () => `data: ${'x'.repeat(8 * MB)}`,
        () => `{"a":${'{"a":'.repeat(100_000)}`,
      ],
    ),
    async send(input) {
      hostile = input;
      const kind = input.length % 3;
      if (kind === 0)
        provider.plays((response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(input));
      else provider.plays(callsTool('getWeather', '{"city":"Seoul"}'), says('done'));
      return status(complete(attacker, [model, asked, mcp][kind]!.id, { messages }));
    },
  };
}

async function openapi(attacker: Attacker): Promise<Attack> {
  const document = JSON.stringify(WEATHER_API);
  const deep = (levels: number) => `{"a":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  const wide = Array.from({ length: 20_000 }, (_, i) => `"/p${i}":{"get":{"operationId":"o${i}"}}`).join(',');
  const circle =
    '{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"getWeather","parameters":[{"$ref":"#/x"}]}}},"x":{"$ref":"#/x"}}';
  return {
    next: inputs([document], [() => deep(50_000), () => `{"openapi":"3.1.0","paths":{${wide}}}`, () => circle]),
    async send(input) {
      const { baseUrl, apiKey } = attacker;
      const body = `{"name":"t${Math.random()}","type":"chat","config":{"tools":[{"type":"http","name":"w","operation_id":"getWeather","server":"https://example.com","openapi":${input.toString()}}]}}`;
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      return status(fetch(`${baseUrl}/api/v1/applications`, { method: 'POST', headers, body }));
    },
  };
}

async function pictures(attacker: Attacker, service: FuzzedService): Promise<Attack> {
  const damaged = await images.start(service);
  return {
    next: (random) => damaged.input(random),
    send: (input) =>
      status(call(attacker, 'POST', '/api/v1/edi-extract-lite/extract', { body: { image: input.toString('base64') } })),
  };
}

async function tokens(attacker: Attacker): Promise<Attack> {
  const valid = `${Buffer.from('{"alg":"EdDSA","kid":"x"}').toString('base64url')}.e30.${'A'.repeat(86)}`;
  return {
    next: inputs([valid, 'session=abc; csrf=def'], [() => '='.repeat(12_000), () => `${'a.'.repeat(6_000)}`]),
    async send(input) {
      const text = input.toString('latin1').replace(/[^\x21-\x7e]/g, '_');
      const headers = { authorization: `Bearer ${text}`, cookie: text };
      return status(fetch(`${attacker.baseUrl}/api/v1/auth/me`, { headers }));
    },
  };
}

/** Makes the attack of a workspace on each entry of the list of parsers. The entries that are missing are reached only by what a platform writes. */
export const ATTACKS: Readonly<Record<string, (attacker: Attacker, service: FuzzedService) => Promise<Attack>>> = {
  'templates in Liquid and Jinja': templates,
  'YAML of imports': yaml,
  'own drug lists': ownLists,
  documents: files,
  'small documents without tables': texts,
  'robots.txt, sitemaps and pages of websites': websites,
  'JSON bodies of requests': bodies,
  'JSON of models, tools, platforms, forms and programs': tools,
  'OpenAPI documents of tools': openapi,
  'pictures, PDFs and scans': pictures,
  'tokens, cookies, form links and schedules': tokens,
};
