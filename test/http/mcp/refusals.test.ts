import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { DynamoLimits } from '../../../functions/adapters/shared/dynamo-limits.ts';
import { executionsLimit } from '../../../functions/sandbox/routes.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { errorFormats } from '../../../functions/shared/http/error-formats.ts';
import { call } from '../../helpers/api.ts';
import { createApplication } from '../../helpers/chat.ts';
import { createBase } from '../../helpers/knowledge.ts';
import { callTool, connect, MCP_PATH, refusedAs, rpc } from '../../helpers/mcp.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { sandboxService } from '../../helpers/sandbox.ts';
import { changeKey, createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = sandboxService();
const send = (body: unknown, options: object = {}) => call(service, 'POST', MCP_PATH, { body, ...options });

/** Code of the JSON-RPC error of an answer, with its HTTP status. */
function errorOf({ status, json }: Awaited<ReturnType<typeof call>>) {
  const { error } = json as { error: { code: number; message: string; data?: { code: string } } };
  return { status, rpc: error.code, code: error.data?.code, message: error.message };
}

describe('the request', () => {
  it.each([null, 'wrong', 'tpk_0000000000000000000000000000000000000000'])('with the key %j is a 401', async (key) => {
    const answer = await send(rpc('tools/list'), { key });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(errorFormats['json-rpc'].schema.strict().parse(answer.json)).toMatchObject({
      error: { data: { code: 'invalid_key' } },
    });
  });

  it('of the official client with a wrong key fails with 401', async () => {
    await expect(connect(service, { key: 'wrong' })).rejects.toThrow('401');
  });

  it.each([
    ['no JSON', '{"jsonrpc":', -32_700],
    ['a list of messages', JSON.stringify([rpc('tools/list')]), -32_600],
    ['of another protocol', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
    [
      'too deep',
      JSON.stringify(rpc('tools/call', { name: 'x' })).replace(
        '"x"',
        `"x","arguments":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      ),
      -32_600,
    ],
    [
      'too deep for any parser',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_001)}`,
      -32_600,
    ],
  ])('with a body that is %s is a 400', async (_, raw, rpcCode) => {
    expect(errorOf(await send(undefined, { raw }))).toMatchObject({ status: 400, rpc: rpcCode });
  });

  it('with a body that is too large is a 413', async () => {
    const answer = await send(rpc('ping', { text: 'x'.repeat(6 * 1024 * 1024) }));
    expect(errorOf(answer)).toMatchObject({ status: 413, code: 'request_too_large' });
  });

  it('of an unknown revision names the known ones', async () => {
    const meta = (version: string) => ({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    });
    const headers = { 'mcp-protocol-version': '2999-01-01', 'mcp-method': 'tools/list' };
    const answer = await send(rpc('tools/list', { _meta: meta('2999-01-01') }), { headers });
    expect(errorOf(answer)).toMatchObject({ status: 400, rpc: -32_022 });
    expect(JSON.stringify(answer.json)).toContain('2026-07-28');
  });

  it.each(['GET', 'DELETE'])('by %s is a 405', async (method) => {
    const answer = await call(service, method, MCP_PATH);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(errorOf(answer)).toMatchObject({ rpc: -32_000, code: 'method_not_allowed' });
  });

  it('of a page of another origin is a 403', async () => {
    const answer = await send(rpc('tools/list'), { headers: { origin: 'https://elsewhere.example' } });
    expect(errorOf(answer)).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await send(rpc('ping'), { headers: { origin: service.baseUrl } })).status).toBe(200);
  });

  it.each(['subscriptions/listen', 'resources/list'])('for the method %s says that there is none', async (method) => {
    expect(errorOf(await send(rpc(method)))).toMatchObject({ rpc: -32_601 });
  });
});

describe('a key for some services', () => {
  it('sees their tools alone, and is refused the others', async () => {
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: ['extraction'] });
    const client = await connect(service, { key: apiKey });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_drug_table']);
    await client.close();
    const run = { language: 'javascript', code: '1' };
    expect(refusedAs(await callTool(service, 'run_program', run, apiKey))).toEqual([true, 403, 'forbidden']);
  });
});

describe('a call', () => {
  it('that the balance does not cover is refused with 402, and changes nothing', async () => {
    const { apiKey, workspaceId } = await createWorkspace({ balanceKrw: 199, freeCallsUsed: 10 });
    const image = (await oneLinePage()).toString('base64');
    const answer = await callTool(service, 'read_drug_table', { image }, apiKey);
    expect(refusedAs(answer)).toEqual([true, 402, 'insufficient_balance']);
    expect(answer.content[0]?.text).toContain('199 KRW');
    expect(await tracesOf(workspaceId)).toMatchObject({ balanceKrw: 199, charges: [], idempotencyKeys: [] });
  });

  it('beyond the limit of its tool is refused with 429', async () => {
    const { apiKey, keyId } = await createWorkspace();
    const limits = new DynamoLimits(dynamoClient(), environment('LIMITS_TABLE').LIMITS_TABLE);
    await limits.take(executionsLimit, keyId, 100, Date.now() + 60_000);
    const answer = await callTool(service, 'run_program', { language: 'javascript', code: '1' }, apiKey);
    expect(refusedAs(answer)).toEqual([true, 429, 'rate_limited']);
    expect(answer.structuredContent.error).toMatchObject({ retryAfterSeconds: expect.any(Number) });
  });

  it('of an unknown tool is a JSON-RPC error', async () => {
    const answer = await send(rpc('tools/call', { name: 'nothing', arguments: {} }));
    expect(errorOf(answer)).toMatchObject({ rpc: -32_602, message: expect.stringContaining('Unknown tool "nothing"') });
  });

  it('ends its program when the client goes away', async () => {
    const sleepers = () => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).match(/^sleep .*$/gm) ?? [];
    const code = 'require("child_process").spawn("sleep", ["87671"], { detached: true }); setInterval(() => {}, 1e6)';
    const leaving = new AbortController();
    const client = await connect(service);
    const args = { language: 'javascript', code, timeout: 300 };
    const calling = client.callTool({ name: 'run_program', arguments: args }, { signal: leaving.signal });
    calling.catch(() => undefined);
    await expect.poll(sleepers, { timeout: 60_000 }).toContain('sleep 87671');
    leaving.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(sleepers, { timeout: 60_000 }).not.toContain('sleep 87671');
    await client.close();
  });
});

describe('another workspace', () => {
  it('neither sees nor reaches an application, a base or a session', async () => {
    const { apiKey } = await createWorkspace();
    await createApplication(service, { name: 'Ours', config: { mcp: { enabled: true } } });
    const client = await connect(service, { key: apiKey });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('ask_ours');
    await expect(client.callTool({ name: 'ask_ours', arguments: { message: 'Hello' } })).rejects.toThrow(
      'Unknown tool',
    );
    await client.close();

    const base = (await createBase(service)).id;
    const search = await callTool(service, 'search_knowledge', { base, query: 'x' }, apiKey);
    expect(refusedAs(search)).toEqual([true, 404, 'not_found']);

    const kept = (code: string) => ({ language: 'javascript', code, session_id: 'theirs', session: { keep: true } });
    await callTool(service, 'run_program', kept('var secret = 42'));
    const other = await callTool(service, 'run_program', kept('typeof secret'), apiKey);
    expect(other.structuredContent).toMatchObject({ value: "'undefined'", session: { new: true } });
  });
});
