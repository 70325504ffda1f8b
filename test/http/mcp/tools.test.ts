import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeCall, createApplication } from '../../helpers/chat.ts';
import { createBase, indexText } from '../../helpers/knowledge.ts';
import { callTool, connect, refusedAs } from '../../helpers/mcp.ts';
import { shortPage } from '../../helpers/page-images.ts';
import { sandboxService } from '../../helpers/sandbox.ts';
import { tracesOf } from '../../helpers/workspace.ts';

const service = sandboxService();
const clients: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function toolsOf(mode?: string) {
  const client = await connect(service, mode === undefined ? {} : { mode });
  clients.push(client);
  return (await client.listTools()).tools;
}

describe.each(['modern', 'legacy'])('to a client of the %s revisions', (mode) => {
  it('tools are listed with the schemas of the REST routes', async () => {
    const tools = await toolsOf(mode);
    expect(tools.map(({ name }) => name)).toEqual(['run_program', 'read_drug_table', 'search_knowledge']);
    const [run, read, search] = tools.map(({ inputSchema }) => inputSchema as never as { properties: object });
    expect(Object.keys(run!.properties)).toEqual(
      expect.arrayContaining(['code', 'language', 'files', 'session_id', 'session', 'timeout']),
    );
    expect(Object.keys(read!.properties)).toEqual(expect.arrayContaining(['image', 'imageUrl', 'page', 'serviceDate']));
    expect(search).toMatchObject({ type: 'object', required: ['base', 'query'] });
  });

  it('run_program answers with output and files', async () => {
    const client = await connect(service, { mode });
    clients.push(client);
    const code =
      'const fs = require("fs"); fs.mkdirSync("out", { recursive: true }); fs.writeFileSync("out/b.txt", fs.readFileSync("a.txt")); console.log("hi")';
    const args = { language: 'javascript', code, files: [{ path: 'a.txt', content: 'abc' }] };
    const { content, structuredContent, isError } = await client.callTool({ name: 'run_program', arguments: args });
    expect([isError ?? false, structuredContent]).toMatchObject([
      false,
      { stdout: 'hi\n', exit_code: 0, files: [{ path: 'b.txt', size: 3, media_type: 'text/plain' }] },
    ]);
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
    expect(content[1]).toEqual({
      type: 'resource',
      resource: { uri: 'file:///b.txt', mimeType: 'text/plain', blob: Buffer.from('abc').toString('base64') },
    });
  });
});

describe('run_program', () => {
  it('keeps a session', async () => {
    const kept = (code: string) => ({ language: 'javascript', code, session_id: 'mcp', session: { keep: true } });
    expect((await callTool(service, 'run_program', kept('var total = 40'))).structuredContent).toMatchObject({
      session: { new: true, kept: true },
    });
    expect((await callTool(service, 'run_program', kept('total + 2'))).structuredContent).toMatchObject({
      value: '42',
    });
  });

  it('refuses wrong arguments by their fields', async () => {
    const answer = await callTool(service, 'run_program', { language: 'javascript', codes: '1' });
    expect(refusedAs(answer)).toEqual([true, 400, 'invalid_request']);
    expect(answer.structuredContent.error?.message).toContain('codes: is not known here');
    expect(answer.content[0]?.text).toContain('codes: is not known here');
  });
});

describe('read_drug_table', () => {
  it('reads an image, charges once for a key, and gives lines their lights', async () => {
    const image = (await shortPage()).toString('base64');
    const args = { image, idempotency_key: 'mcp-1' };
    const { structuredContent, isError } = await callTool(service, 'read_drug_table', args);
    expect([isError ?? false, structuredContent]).toMatchObject([false, { foundTable: true }]);
    const { items } = structuredContent as never as { items: { status: string }[] };
    for (const { status } of items) expect(['GREEN', 'YELLOW', 'RED']).toContain(status);
    expect((await callTool(service, 'read_drug_table', args)).structuredContent).toMatchObject({ items });
    expect((await tracesOf(service.workspaceId)).extractions).toHaveLength(1);
  });

  it('refuses an address that is not on the public internet', async () => {
    const answer = await callTool(service, 'read_drug_table', { imageUrl: 'https://169.254.169.254/latest' });
    expect(refusedAs(answer)).toEqual([true, 422, 'image_fetch_failed']);
  });
});

describe('search_knowledge', () => {
  let base: string;
  beforeAll(async () => {
    base = (await createBase(service)).id;
    await indexText(service, base, '환불은 7일 안에 신청하세요.');
  });

  it('finds passages', async () => {
    const { structuredContent } = await callTool(service, 'search_knowledge', { base, query: '환불 신청' });
    expect(structuredContent).toMatchObject({ results: [{ text: expect.stringContaining('7일') }] });
  });

  it('does not find an unknown base', async () => {
    const unknown = { base: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b', query: 'x' };
    expect(refusedAs(await callTool(service, 'search_knowledge', unknown))).toEqual([true, 404, 'not_found']);
  });
});

describe('an application', () => {
  it('is a tool once its owner shares it, and no more when its owner stops', async () => {
    const about = { description: 'Knows the opening hours.', config: { mcp: { enabled: true } } };
    const { id } = await createApplication(service, { name: 'Front Desk!', ...about });
    await createApplication(service, { name: '약국 도우미', config: { mcp: { enabled: true } } });
    await createApplication(service, { name: 'Private', config: { mcp: { enabled: false } } });
    await createApplication(service, { name: 'Other', config: { mcp: { enabled: true, name: 'front_desk' } } });
    const asks = (await toolsOf()).filter(({ name }) => name.startsWith('ask_'));
    expect(asks.map(({ name }) => name)).toEqual([
      'ask_front_desk',
      expect.stringMatching(/^ask_[0-9a-f]{8}$/),
      expect.stringMatching(/^ask_front_desk_[0-9a-f]{8}$/),
    ]);
    expect(asks[0]).toMatchObject({
      title: 'Front Desk!',
      description: expect.stringContaining('Knows the opening hours.'),
    });
    const { content, structuredContent } = await callTool(service, 'ask_front_desk', { message: 'Hello' });
    expect(content).toEqual([{ type: 'text', text: structuredContent.answer }]);
    expect(structuredContent).toMatchObject({ answer: expect.stringMatching(/./), finish_reason: 'stop' });

    await changeCall(service, id, { config: { mcp: { enabled: false } } });
    expect((await toolsOf()).map(({ title }) => title)).not.toContain('Front Desk!');
  });

  it('remembers a session of the key', async () => {
    await createApplication(service, { name: 'Memory', config: { mcp: { enabled: true } } });
    const ask = (message: string) => callTool(service, 'ask_memory', { message, session_id: 'chat-1' });
    const first = (await ask('One')).structuredContent as never as { usage: { prompt_tokens: number } };
    const second = (await ask('One')).structuredContent as never as { usage: { prompt_tokens: number } };
    expect(second.usage.prompt_tokens).toBeGreaterThan(first.usage.prompt_tokens);
  });
});
