import { PDFiumLibrary } from '@hyzyla/pdfium';
import mammoth from 'mammoth';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { complete, completionOf, createApplication } from '../../helpers/chat.ts';
import { callsTool, says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, difyStart } from '../../helpers/workflows/dify.ts';
import { difyEnd, useDifyFiles } from '../../helpers/workflows/dify-flow.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

/** Documents and charts that models and workflows make, read by programs of others: mammoth, PDFium, librsvg. */
const service = useService();
const dify = useDifyFiles(service);

const tools = [{ type: 'chart' }, { type: 'markdown_to_docx' }, { type: 'markdown_to_pdf', name: 'to_pdf' }];
const { provider, application } = useScriptedApplication(service, { tools });

const MARKDOWN = `# 월간 보고 <script>alert(1)</script>

처방 **12건** & [근거](https://example.com/?a=1&b="2"), [나쁜 링크](javascript:alert(1)) ![그림](https://example.com/x.png)

1. 첫째
   - 안쪽

| 약품명 | 용량 |
|---|--:|
| 타이레놀 | 500㎎ |

\`\`\`
a < b\u0000
\`\`\`
`;
const messages = [{ role: 'user' as const, content: 'Write it' }];
const link = expect.stringMatching(/^http/);

/** The result of a call as the model gets it, and the files of the answer. */
async function called(tool: string, args: object) {
  provider.plays(callsTool(tool, JSON.stringify(args)), says('Here it is.'));
  const { message } = completionOf(await complete(service, application.id, { messages })).choices[0]!;
  const { messages: sent } = provider.requests.at(-1)!.body as { messages: { role: string; content: unknown }[] };
  const text = String(sent.findLast(({ role }) => role === 'tool')!.content);
  const { files = [] } = message as unknown as { files?: { url: string }[] };
  return { message, text, url: files[0]?.url ?? '' };
}

async function downloaded(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/^attachment/),
  ]);
  return Buffer.from(await answer.arrayBuffer());
}

async function textOfPdf(bytes: Buffer): Promise<string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  const text = [...document.pages()].map((page) => page.getText()).join('\n');
  document.destroy();
  library.destroy();
  return text;
}

describe('markdown_to_docx', () => {
  it('makes a document that mammoth reads as the Markdown has it', async () => {
    const { message, text, url } = await called('markdown_to_docx', {
      markdown: MARKDOWN,
      title: '보고서',
      file_name: '../6월 보고.docx',
    });
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(message).toMatchObject({
      content: 'Here it is.',
      files: [{ name: '_6월 보고.docx', media_type: type, size: expect.any(Number), url: link }],
    });
    expect(url).toContain(`/${service.workspaceId}/file_`);
    expect(text).toBe(`_6월 보고.docx (${type}, ${(await downloaded(url)).length} bytes): ${url}`);
    const { value } = await mammoth.convertToHtml({ buffer: await downloaded(url) });
    expect(value).toBe(
      '<p>보고서</p><h1>월간 보고 &lt;script&gt;alert(1)&lt;/script&gt;</h1>' +
        '<p>처방 <strong>12건</strong> &amp; <a href="https://example.com/?a=1&amp;b=&quot;2&quot;">근거</a>, 나쁜 링크 ' +
        '<a href="https://example.com/x.png">그림</a></p><ol><li>첫째<ul><li>안쪽</li></ul></li></ol>' +
        '<table><thead><tr><th><p><strong>약품명</strong></p></th><th><p><strong>용량</strong></p></th></tr></thead>' +
        '<tbody><tr><td><p>타이레놀</p></td><td><p>500㎎</p></td></tr></tbody></table><p>a &lt; b</p>',
    );
  });

  it('numbers each list from its own start', async () => {
    const { url } = await called('markdown_to_docx', { markdown: '3. c\n4. d\n\ntext\n\n1. a' });
    const { value } = await mammoth.extractRawText({ buffer: await downloaded(url) });
    expect(value.split(/\n+/)).toEqual(['c', 'd', 'text', 'a', '']);
  });
});

it('markdown_to_pdf makes a document with its fonts in it, whose Korean text PDFium reads', async () => {
  const { message, url } = await called('to_pdf', { markdown: MARKDOWN });
  expect(message).toMatchObject({ files: [{ name: 'document.pdf', media_type: 'application/pdf', url: link }] });
  const bytes = await downloaded(url);
  expect(bytes.toString('latin1')).toMatch(/FontFile2[\s\S]*GothicA1/);
  const text = await textOfPdf(bytes);
  expect(text).toContain('월간 보고 <script>alert(1)</script>');
  expect(text).toContain('처방 12건 & 근거, 나쁜 링크 그림');
  expect(text).toMatch(/타이레놀 500㎎[\s\S]*a < b/);
  expect(bytes.toString('latin1')).not.toMatch(/javascript:/);
});

describe('chart', () => {
  const series = [
    { name: '의원 & <b>', values: [3, 1, null] },
    { name: '약국', values: '1,200;2;3' },
  ];

  it.each(['bar', 'horizontal_bar', 'line', 'area', 'pie', 'doughnut', 'scatter'])(
    'draws the kind %s as a picture that librsvg shows, without scripts and addresses',
    async (kind) => {
      const isRound = kind === 'pie' || kind === 'doughnut';
      const labels = kind === 'scatter' ? [1, 2, 3] : ['</text><script>x</script>', '나', '"다"'];
      const { message, text, url } = await called('chart', {
        ...{ kind, title: '월별 <처방>', labels, file_name: '처방' },
        series: isRound ? series.slice(0, 1) : series,
      });
      expect(text).toMatch(/^처방\.svg \(image\/svg\+xml, \d+ bytes\): http/);
      expect(message).toMatchObject({ images: [{ type: 'image_url', image_url: { url } }] });
      const svg = await downloaded(url);
      expect(svg.toString()).toContain('월별 &lt;처방&gt;');
      expect(svg.toString()).not.toMatch(/<script|href|url\((?!#)|<image|<foreignObject|\bon\w+=/i);
      const picture = sharp(svg);
      const [{ width, height }, { channels }] = await Promise.all([picture.metadata(), picture.stats()]);
      expect([width, height]).toEqual([800, 480]);
      // Red, green and blue; no part of the picture is transparent.
      expect(Math.min(...channels.slice(0, 3).map(({ stdev }) => stdev))).toBeGreaterThan(5);
    },
  );

  it.each([
    ['no series', {}, /series must be a list/],
    ['another kind', { kind: 'radar', series }, /kind must be one of bar, /],
    ['a value that is not a number', { series: [{ values: ['a'] }] }, /series\.0\.values\.0 must be a number/],
    ['values without numbers', { series: [{ values: [null] }] }, /series\.0\.values must have a number/],
    ['too few labels', { labels: ['a'], series }, /labels has 1 entries, and a series 3 values/],
    ['a pie of two series', { kind: 'pie', series }, /A pie has one series/],
    ['a pie with a value below 0', { kind: 'pie', series: [{ values: [-1] }] }, /cannot show values below 0/],
    ['words on the x axis of a scatter chart', { kind: 'scatter', labels: 'a;b;c', series }, /must be numbers/],
    ['too many values', { series: [{ values: Array(5_001).fill(1) }] }, /may have 5000 entries/],
  ])('names the fault of %s', async (_, args, message) => {
    expect((await called('chart', args)).text).toMatch(message);
  });
});

it.each([
  ['no text', { markdown: ' \n' }, /markdown is empty/],
  ['markdown that is not text', { markdown: 3 }, /markdown must be a text/],
  ['a text that is too long', { markdown: 'x'.repeat(300_001) }, /may have 300000 characters, and has 300001/],
  ['a table that is too wide', { markdown: `${'|a'.repeat(41)}|\n${'|-'.repeat(41)}|` }, /may have 40 columns/],
  ['tables with too many cells', { markdown: `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(5_000)}` }, /may have 10000 cells/],
])('a document is refused for %s', async (_, args, message) => {
  expect((await called('markdown_to_docx', args)).text).toMatch(message);
});

it('lists and quotes in one another are text from the ninth level on', async () => {
  const { url } = await called('markdown_to_docx', { markdown: `${'> '.repeat(30)}deep` });
  const { value } = await mammoth.extractRawText({ buffer: await downloaded(url) });
  expect(value.trim()).toMatch(/^(> ){21,22}deep$/);
});

describe('a workflow', () => {
  const start = node('start', 'start');

  it('answers with a document that a tool node makes without an application', async () => {
    const made = node('make', 'tool', {
      tool: 'markdown_to_docx',
      arguments: { markdown: '# {{sys.query}}', file_name: 'q' },
    } as never);
    const read = node('read', 'document_extractor', { file: '{{make.files}}' } as never);
    const answer = node('say', 'answer', { text: '{{read.text}}', files: '{{make.files}}' } as never);
    const ways = ['start > make', 'make > read', 'read > say'];
    const workflow = await publishedWorkflow(service, graph([start, made, read, answer], ways));
    const { id } = await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } });
    const { message } = completionOf(await complete(service, id, { messages })).choices[0]!;
    expect(message).toMatchObject({ files: [{ name: 'q.docx', url: link }] });
    expect(message.content).toContain('# Write it');
  });

  it('shows a chart of the output of a program', async () => {
    const chart = node('draw', 'tool', {
      tool: 'chart',
      arguments: { kind: 'pie', labels: '가;나', series: [{ values: '1;2' }] },
    } as never);
    const workflow = await publishedWorkflow(service, graph([start, chart], ['start > draw']));
    const { nodes } = (await runWorkflow(service, workflow)).json.data;
    const { outputs } = nodes.find(({ execution_key }) => execution_key === 'draw')!;
    expect(outputs).toMatchObject({
      files: [{ kind: 'file', type: 'image', name: 'chart.svg', mime_type: 'image/svg+xml', url: link }],
    });
  });

  it.each([
    ['bowenliang123/md_exporter/md_exporter', 'md_to_docx', { md_text: '가', output_filename: 'a' }, 'a.docx'],
    ['bowenliang123/md_exporter/md_exporter', 'md_to_pdf', { md_text: '가' }, 'document.pdf'],
    ['stvlynn/doc/doc', 'markdown_to_docx_converter', { markdown_content: '가', title: '나' }, 'document.docx'],
    ['chart', 'bar_chart', { data: '1;2', x_axis: '가;나' }, 'chart.svg'],
    ['langgenius/chart/chart', 'pie_chart', { data: '1,2', categories: '가,나' }, 'chart.svg'],
  ])('of Dify with the tool %s/%s runs without the plugin', async (provider_id, tool_name, values, name) => {
    const mixed = Object.entries(values).map(([key, value]) => [key, { type: 'mixed', value }]);
    const tool = difyNode('make', {
      ...{ type: 'tool', title: 'Make', provider_id, provider_name: provider_id, provider_type: 'builtin', tool_name },
      ...{ tool_configurations: { enable_toc: 'false' }, tool_parameters: Object.fromEntries(mixed) },
    });
    const file = difyFile([difyStart(), tool, difyEnd(['files', ['make', 'files']])], ['start > make', 'make > end'], {
      mode: 'workflow',
    });
    const { status, outputs, imported } = await dify.ran(file);
    expect([status, imported.to_connect, imported.unsupported]).toEqual(['succeeded', [], []]);
    expect(outputs).toMatchObject({ files: [{ name, url: link }] });
  });
});
