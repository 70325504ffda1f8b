import { gzipSync } from 'node:zlib';
import { serverSentEvents } from '../../../functions/adapters/chat/sse-events.ts';
import { threadedRenderer } from '../../../functions/adapters/documents/render-thread.ts';
import { loadMaster } from '../../../functions/adapters/drug-master/master-bytes.ts';
import { threadedOwnList } from '../../../functions/adapters/drug-master/own-list-thread.ts';
import { readText, threadedSegmentMaker } from '../../../functions/adapters/knowledge/segment-thread.ts';
import { readSiteText } from '../../../functions/adapters/knowledge/sources/site-thread.ts';
import { ThreadedTemplates } from '../../../functions/adapters/workflows/threaded-templates.ts';
import { threadedYaml } from '../../../functions/adapters/workflows/threaded-yaml.ts';
import { renderParts } from '../../../functions/channels/domain/text/render.ts';
import { MAX_OWN_ROWS } from '../../../functions/extraction/domain/master/own-list.ts';
import { extractRoute } from '../../../functions/extraction/routes.ts';
import { boundedJson, MAX_ESCAPES, MAX_VALUES } from '../../../functions/shared/bounded-json.ts';
import { parseInput } from '../../../functions/shared/http/parse-input.ts';
import { DEFAULT_BODY_LIMIT } from '../../../functions/shared/http/route.ts';
import { memoize } from '../../../functions/shared/memoize.ts';
import { memoizeAsync } from '../../../functions/shared/memoize-async.ts';
import type { Graph } from '../../../functions/workflows/domain/graph/graph.ts';
import { graphIssues } from '../../../functions/workflows/domain/graph/validate-graph.ts';
import { doc } from '../../helpers/doc.ts';
import { requestOf } from '../../helpers/http-request.ts';
import { hwp, hwpControl } from '../../helpers/hwp.ts';
import { packed } from '../../helpers/workbook.ts';
import { alternativesGraph, referringGraph, repeatedGraph } from '../../helpers/workflows/graph-bombs.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

/** How a text can take no more of the shared thread's time than other requests can spare. */
type Bound =
  /** The module whose threads parse it, with limits of time, memory and output. */
  | { readonly kind: 'thread'; readonly module: string }
  /** A process of readers parses it, with limits of time and memory. */
  | { readonly kind: 'process'; readonly module: string }
  /** In a time that grows as its length does, which is limited. */
  | { readonly kind: 'linear'; readonly underBytes: number };

/** A parser of texts that tenants or strangers write. */
export interface Parser {
  readonly name: string;
  readonly bound: Bound;
  /** Packages that do the parsing. */
  readonly libraries?: readonly string[];
  /** Modules that call them, or parse by themselves. */
  readonly modules: readonly string[];
  /** The worst known inputs, at bound size; in threads as large as shows that they block nothing. Absent where a process parses them: its own tests feed it. */
  readonly worst?: Readonly<Record<string, () => unknown>>;
}

const MB = 2 ** 20;
const caller = { tenant: 'attacker' };
const never = new AbortController().signal;
const templates = new ThreadedTemplates();
const small = threadedSegmentMaker();
const robots = {
  address: 'https://example.com/robots.txt',
  text: `User-agent: *\n${`Disallow: ${'/*a'.repeat(50)}$\n`.repeat(400)}`.slice(0, 64_000),
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const read = (text: string, type: 'csv' | 'json' | 'html' | 'markdown' | 'text') =>
  readText(Buffer.from(text), type, caller);
/** Parses a body. It is made once: only the first measurement has its making in it. */
const body = (text: () => string) => {
  const request = memoize(() => requestOf({ body: text() }));
  return () => parseInput(extractRoute, request());
};

/** Validates a graph, whose making is measured only once. */
const judged = (make: () => Graph) => {
  const bomb = memoize(make);
  return () => graphIssues(bomb());
};

async function* inPieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += bytes) yield Buffer.from(text.slice(at, at + bytes));
}

async function drained(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

/** Every parser of texts of tenants and strangers. `parsers.test.ts` fails for one that is not on it. */
export const PARSERS: readonly Parser[] = [
  {
    name: 'templates in Liquid and Jinja',
    bound: { kind: 'thread', module: 'functions/adapters/workflows/threaded-templates.ts' },
    libraries: ['liquidjs'],
    modules: [
      'functions/adapters/workflows/liquid-templates.ts',
      'functions/adapters/workflows/jinja-templates.ts',
      'functions/adapters/workflows/threaded-templates.ts',
    ],
    worst: {
      'a Jinja template of nested lists': () => templates.faultOf(`{{ ${'['.repeat(90_000)} }}`, 'jinja2', caller),
      'a Jinja template of endless loops': () =>
        templates.render(
          '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}',
          {},
          'jinja2',
          caller,
        ),
      'a Liquid template that sorts': () =>
        templates.render('{% assign a = (1..500000) | sort %}', {}, 'liquid', caller),
    },
  },
  {
    name: 'YAML of imports',
    bound: { kind: 'thread', module: 'functions/adapters/workflows/threaded-yaml.ts' },
    libraries: ['yaml'],
    modules: [
      'functions/adapters/workflows/yaml-document.ts',
      'functions/adapters/workflows/threaded-yaml.ts',
      'functions/wiring/workflows/workflows.ts',
    ],
    worst: { brackets: () => threadedYaml('['.repeat(200_000), caller) },
  },
  {
    name: 'own drug lists',
    bound: { kind: 'thread', module: 'functions/adapters/drug-master/own-list-thread.ts' },
    libraries: ['csv-parse', 'iconv-lite', 'fflate', 'htmlparser2'],
    modules: [
      'functions/adapters/codecs/sheet-rows.ts',
      'functions/adapters/codecs/workbook.ts',
      'functions/adapters/codecs/xml-events.ts',
      'functions/adapters/drug-master/own-list-rows.ts',
      'functions/adapters/drug-master/master-bytes.ts',
      'functions/extraction/domain/master/master-file.ts',
      'functions/extraction/domain/master/list-date.ts',
    ],
    worst: {
      'many prices of one code': () => {
        const rows = Array.from({ length: 100_000 }, (_, i) => `a1,가,${i},${day(i)}`);
        return threadedOwnList(base64(`code,name,price,from\n${rows.join('\n')}`), '2026-11-29T00:00:00Z', caller);
      },
      'millions of empty rows': () =>
        threadedOwnList(gzipSync(`code,name\n${',\n'.repeat(8 * MB)}`).toString('base64'), '2026-11-29', caller),
    },
  },
  {
    // The form is this service's, the rows are a tenant's: a search of the list reads and indexes them.
    name: 'own drug lists, as they are stored',
    bound: { kind: 'linear', underBytes: 20 * MB },
    modules: ['functions/adapters/drug-master/master-bytes.ts', 'functions/adapters/drug-master/s3-own-lists.ts'],
    worst: {
      'as many rows as may be, and a search in them': async () => {
        const { packed: list } = await longestOwnList();
        (await loadMaster(list)).search('가zz', 5);
      },
    },
  },
  {
    name: 'documents',
    bound: { kind: 'thread', module: 'functions/adapters/knowledge/segment-thread.ts' },
    libraries: ['csv-parse', 'iconv-lite', 'fflate', 'htmlparser2', 'numfmt', 'postal-mime', '@hyzyla/pdfium'],
    modules: [
      ...['number-formats', 'ole-file', 'pdfium'].map((name) => `functions/adapters/codecs/${name}.ts`),
      ...['doc-blocks', 'document-blocks', 'hwp-blocks', 'hwpx-blocks', 'odt-blocks', 'rtf-blocks'].map(
        (name) => `functions/adapters/knowledge/formats/${name}.ts`,
      ),
      ...['decode-text', 'docx-blocks', 'eml-blocks', 'epub-blocks', 'html-blocks', 'json-blocks', 'pdf-blocks'].map(
        (name) => `functions/adapters/knowledge/formats/${name}.ts`,
      ),
      ...['pptx-blocks', 'table-blocks', 'zip-entries'].map(
        (name) => `functions/adapters/knowledge/formats/${name}.ts`,
      ),
      'functions/adapters/knowledge/segment-thread.ts',
    ],
    worst: {
      'JSON with one long name before many values': () =>
        read(`{"${'n'.repeat(16_000)}":[${'1,'.repeat(7_999)}1]}`, 'json'),
      'CSV with long names of columns': () =>
        read(`${'n'.repeat(8_000)},${'m'.repeat(8_000)}\n${'1,2\n'.repeat(4_000)}`, 'csv'),
      'closing tags that look through open ones': () => read('<div>'.repeat(50_000) + '</b>'.repeat(50_000), 'html'),
      'a .hwp of tables in tables': () => readText(nestedTables(), 'hwp', caller),
      'a .hwpx of paragraphs in paragraphs': () =>
        readText(
          packed({ 'Contents/header.xml': '<h/>', 'Contents/section0.xml': '<p><t>a'.repeat(200_000) }),
          'hwpx',
          caller,
        ),
      'an .odt of styles made from each other': () => {
        const styles = Array.from(
          { length: 20_000 },
          (_, i) => `<style name="${i}" parent-style-name="${(i + 1) % 20_000}"/>`,
        );
        return readText(packed({ 'content.xml': `<text>${styles.join('')}</text>` }), 'odt', caller);
      },
      'an .rtf of hidden groups': () =>
        readText(Buffer.from(`{\\rtf1${'{\\v\\u44032?x}'.repeat(500_000)}`), 'rtf', caller),
      'a .doc of open fields': () => readText(doc([{ text: '\x13'.repeat(1_000_000) }]), 'doc', caller),
    },
  },
  {
    name: 'small documents without tables',
    bound: { kind: 'linear', underBytes: 32 * 1024 },
    modules: ['functions/knowledge/domain/text-blocks.ts', 'functions/knowledge/domain/segment.ts'],
    worst: {
      'closing tags': () => read('<i>'.repeat(5_400) + '</b>'.repeat(4_000), 'html'),
      'a Markdown list': () => read('[](#'.repeat(8_000), 'markdown'),
      'one word': () => small.read(Buffer.from('가'.repeat(10_900)), 'text', { documentId: 'd', title: 't' }, caller),
    },
  },
  {
    name: 'robots.txt, sitemaps and pages of websites',
    bound: { kind: 'thread', module: 'functions/adapters/knowledge/sources/site-thread.ts' },
    libraries: ['robots-parser', 'htmlparser2'],
    modules: [
      'functions/adapters/knowledge/sources/page-head.ts',
      'functions/adapters/knowledge/sources/site-thread.ts',
      'functions/adapters/knowledge/sources/crawling-web.ts',
    ],
    worst: {
      'rules with many stars, for many addresses': () => {
        const urls = Array.from({ length: 500 }, (_, i) => `https://example.com/${'a'.repeat(480)}${i}`);
        return readSiteText('allowed', { ...robots, urls }, caller);
      },
      'a sitemap of 5 MB': () => readSiteText('sitemap', '<url><loc>a</loc></url>'.repeat(220_000), caller),
      'a page of closing tags': () => {
        const bytes = Buffer.from('<div>'.repeat(50_000) + '</b>'.repeat(50_000));
        return readSiteText('page', { bytes, url: 'https://example.com/' }, caller);
      },
    },
  },
  {
    name: 'Markdown of documents to make',
    bound: { kind: 'thread', module: 'functions/adapters/documents/render-thread.ts' },
    libraries: ['docx', 'pdfmake', 'echarts'],
    modules: ['functions/sandbox/domain/files/markdown-document.ts'],
    worst: {
      quotes: () =>
        threadedRenderer().render('attacker', { kind: 'docx', markdown: '>'.repeat(30_000), title: null }, never),
    },
  },
  {
    name: 'Markdown of messages',
    bound: { kind: 'linear', underBytes: 40_000 },
    libraries: [
      ...['mdast-util-from-markdown', 'mdast-util-gfm-autolink-literal', 'mdast-util-gfm-strikethrough'],
      ...['mdast-util-gfm-table', 'micromark-extension-cjk-friendly', 'micromark-extension-gfm-autolink-literal'],
      ...['micromark-extension-cjk-friendly-gfm-strikethrough', 'micromark-extension-gfm-table'],
    ],
    modules: ['functions/shared/markdown/parse-markdown.ts', 'functions/channels/domain/text/read-markdown.ts'],
    worst: {
      stars: () => renderParts('*a '.repeat(13_000), 'mrkdwn', 3_000),
      brackets: () => renderParts('['.repeat(40_000), 'mrkdwn', 3_000),
      'paragraphs of as many signs as may be': () =>
        renderParts(`${'*a '.repeat(900)}\n\n`.repeat(14), 'mrkdwn', 3_000),
    },
  },
  {
    name: 'JSON bodies of requests',
    bound: { kind: 'linear', underBytes: 28 * MB },
    modules: ['functions/shared/http/parse-input.ts', 'functions/shared/bounded-json.ts', 'gateway/read-body.ts'],
    worst: {
      'one long string': body(() => `{"image":"${'A'.repeat(28 * MB)}"}`),
      'escapes in one string': body(() => `{"image":"${'\\n'.repeat(14 * MB)}"}`),
      'as many escapes as may be, before plain text': body(
        () => `{"image":"${'\\"'.repeat(MAX_ESCAPES)}${'A'.repeat(24 * MB)}"}`,
      ),
      brackets: body(() => '['.repeat(28 * MB)),
      'as many unknown members as may be': body(() => `{${members(MAX_VALUES / 2 - 1)}}`),
    },
  },
  {
    name: 'JSON of models, tools, platforms, forms and programs',
    bound: { kind: 'linear', underBytes: 8 * MB },
    libraries: ['@modelcontextprotocol/client', 'openid-client', 'jose'],
    modules: [
      'functions/adapters/accounts/openid-client.ts',
      'functions/adapters/channels/teams-tokens.ts',
      'functions/adapters/chat/openai-chunk.ts',
      'functions/adapters/chat/provider-failures.ts',
      'functions/adapters/chat/said-errors.ts',
      'functions/adapters/chat/tools/mcp-server.ts',
      'functions/adapters/knowledge/embeddings-by-provider.ts',
      'functions/adapters/tokens/jose-signer.ts',
      'functions/adapters/tokens/jose-verifier.ts',
      'functions/channels/domain/platforms/platform.ts',
      'functions/channels/domain/platforms/whatsapp.ts',
      'functions/adapters/chat/openai-transcription.ts',
      'functions/chat/domain/answer.ts',
      'functions/chat/domain/custom-tools.ts',
      'functions/chat/domain/sound-arguments.ts',
      'functions/chat/domain/tools/run-tools.ts',
      'functions/chat/responses-api/carried-members.ts',
      'functions/chat/sockets/messages.ts',
      'functions/workflows/domain/effects/json-in.ts',
      'functions/workflows/domain/graph/exact-json.ts',
      ...['from-dify', 'convert-http', 'convert-start'].map(
        (name) => `functions/workflows/domain/import/dify/${name}.ts`,
      ),
      'functions/workflows/form-answers.ts',
      'functions/workflows/webhook-firing.ts',
    ],
    worst: {
      brackets: () => boundedJson('['.repeat(8 * MB)),
      'as many members as may be': () => boundedJson(`{${members(MAX_VALUES / 2 - 1)}}`),
    },
  },
  {
    name: 'graphs of workflows',
    bound: { kind: 'linear', underBytes: DEFAULT_BODY_LIMIT.maxBytes },
    modules: ['functions/workflows/domain/graph/references.ts', 'functions/workflows/domain/graph/validate-graph.ts'],
    worst: {
      'as many edges and references as may be': judged(referringGraph),
      'as many references with alternatives as may be': judged(() => alternativesGraph(2)),
      'one id for thousands of nodes': judged(repeatedGraph),
      'one text of references': judged(() => {
        const text = node('a', 'variable_assign', { values: { v: '{{sys.query}}'.repeat(20_000) } });
        return graph([node('start', 'start'), text], ['start > a']);
      }),
    },
  },
  {
    name: 'events of models',
    bound: { kind: 'linear', underBytes: 8 * MB },
    modules: ['functions/adapters/chat/sse-events.ts'],
    worst: { 'a line in small pieces': () => drained(serverSentEvents(inPieces('x'.repeat(8 * MB), 256))) },
  },
  {
    name: 'pictures, PDFs and scans',
    bound: { kind: 'process', module: 'functions/adapters/readers/pool/reader-pool.ts' },
    libraries: ['sharp', 'onnxruntime-node', '@hyzyla/pdfium'],
    modules: [
      ...['decode-bmp', 'decode-image', 'decode-pdf'].map((name) => `functions/adapters/codecs/${name}.ts`),
      'functions/adapters/knowledge/scan-process.ts',
      'functions/adapters/readers/encode-page.ts',
      'functions/adapters/readers/onnx-session.ts',
      'functions/adapters/readers/onnx-recogniser.ts',
      'functions/extraction/domain/extract.ts',
      'functions/extraction/domain/inline-image.ts',
    ],
  },
  {
    name: 'pages that are drawn for a review',
    bound: { kind: 'thread', module: 'functions/adapters/extraction/page-drawing.ts' },
    modules: ['functions/adapters/extraction/page-drawing.ts'],
    worst: {},
  },
  {
    name: 'tokens, cookies, form links and schedules',
    bound: { kind: 'linear', underBytes: 16 * 1024 },
    libraries: ['croner', 'ipaddr.js', 'otpauth'],
    modules: ['functions/accounts/domain/session.ts', 'functions/workflows/domain/run/form-links.ts'],
  },
];

const longestOwnList = memoizeAsync(() => {
  const rows = Array.from(
    { length: MAX_OWN_ROWS - 1 },
    (_, i) => `${640_000_000 + i},${'가'.repeat(50)}${i},${i % 9_999}`,
  );
  return threadedOwnList(base64(`code,name,price\n${rows.join('\n')}`), '2026-11-29T00:00:00Z', caller);
});

/** Records of tables as deep as they can be, again and again. */
const nestedTables = memoize(() => {
  const nest = Buffer.concat(Array.from({ length: 1_000 }, (_, level) => hwpControl('tbl ', level)));
  return hwp([Buffer.concat(Array.from({ length: 200 }, () => nest))]);
});

function members(count: number): string {
  return Array.from({ length: count }, (_, i) => `"${i.toString(36)}":1`).join(',');
}

function day(index: number): string {
  return new Date(Date.UTC(1800, 0, 1 + index)).toISOString().slice(0, 10);
}
