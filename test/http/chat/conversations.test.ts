import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversationPage, feedback, messagePage } from '../../../functions/chat/conversations/schemas.ts';
import { call } from '../../helpers/api.ts';
import {
  applicationOn,
  applicationPath,
  complete,
  completionOf,
  dataOf,
  refusalOf,
  type ShownApplication,
} from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { callsTool, type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

let provider: ScriptedProvider;
let application: ShownApplication;
beforeAll(async () => {
  provider = await scriptedProvider();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  await refillLimits();
  application = await applicationOn(service, provider.baseUrl);
});

const path = () => `${applicationPath(application.id)}/conversations`;
const say = async (session: string, content: unknown) => {
  const headers = { 'x-session-id': session };
  return completionOf(await complete(service, application.id, { messages: [{ role: 'user', content }] }, { headers }));
};
const list = async (query = '') => dataOf(await call(service, 'GET', path() + query), conversationPage.strict());
const messages = async (id: string, query = '') =>
  dataOf(await call(service, 'GET', `${path()}/${id}/messages${query}`), messagePage.strict());

describe('conversations', () => {
  it('are listed, newest first, in pages, with their messages', async () => {
    provider.plays(says('Hello Ann'), callsTool('f', '{}'), says('Hello Bob'));
    const first = await say('s-1', 'I am Ann');
    const second = await say('s-1', 'Call f');
    await say('s-2', [{ type: 'text', text: 'I am Bob' }]);
    const { conversations } = await list();
    expect(conversations).toMatchObject([
      { session_id: 's-2', title: 'I am Bob', caller: { kind: 'key' } },
      { session_id: 's-1', title: 'I am Ann' },
    ]);
    const page = await list('?limit=1');
    const next = await list(`?limit=1&cursor=${page.next_cursor}`);
    expect([...page.conversations, ...next.conversations]).toEqual(conversations);
    expect(next.next_cursor).toBeNull();

    const { id } = conversations[1]!;
    const all = await messages(id);
    expect(all.messages).toMatchObject([
      { id: `${first.id}-1`, role: 'user', content: 'I am Ann', rating: null },
      { id: first.id, role: 'assistant', content: 'Hello Ann', rating: null },
      { role: 'user', content: 'Call f' },
      { id: second.id, role: 'assistant', content: null, tool_calls: [{ id: 'call_1' }] },
    ]);
    const begin = await messages(id, '?limit=1');
    const rest = await messages(id, `?limit=1&cursor=${begin.next_cursor}`);
    expect([...begin.messages, ...rest.messages]).toEqual(all.messages);
  });

  it('have answers that are rated up, down, and not at all', async () => {
    provider.plays(says('ok'));
    const answer = await say('s', 'q');
    const { id } = (await list()).conversations[0]!;
    const rate = (rating: unknown, message = answer.id) =>
      call(service, 'PUT', `${path()}/${id}/messages/${message}/feedback`, { body: { rating } });
    for (const rating of ['up', 'down', null]) {
      expect(dataOf(await rate(rating), feedback)).toEqual({ message_id: answer.id, rating });
      expect((await messages(id)).messages[1]).toMatchObject({ id: answer.id, rating });
    }
    expect(refusalOf(await rate('sideways'))[0]).toBe(422);
    expect(refusalOf(await rate('up', 'chatcmpl-01JDXM00000000000000000000'))[0]).toBe(404);
    expect(refusalOf(await rate('up', `${answer.id}-1`))[0]).toBe(400);
  });

  it('are removed with all they hold, and their session starts anew', async () => {
    provider.plays(says('ok'));
    await say('s', 'secret');
    const { id } = (await list()).conversations[0]!;
    expect((await call(service, 'DELETE', `${path()}/${id}`)).status).toBe(204);
    expect((await list()).conversations).toEqual([]);
    for (const method of ['GET', 'DELETE'])
      expect(refusalOf(await call(service, method, `${path()}/${id}${method === 'GET' ? '/messages' : ''}`))[0]).toBe(
        404,
      );
    await say('s', 'again');
    expect(provider.requests.at(-1)!.body.messages).toEqual([{ role: 'user', content: 'again' }]);
    expect((await list()).conversations).toHaveLength(1);
  });

  it('of another workspace, or another application, are not there', async () => {
    provider.plays(says('ok'));
    await say('s', 'q');
    const { id } = (await list()).conversations[0]!;
    const { apiKey } = await createWorkspace();
    expect(refusalOf(await call(service, 'GET', path(), { key: apiKey }))[0]).toBe(404);
    expect(refusalOf(await call(service, 'GET', `${path()}/${id}/messages`, { key: apiKey }))[0]).toBe(404);
    const other = await applicationOn(service, provider.baseUrl);
    const elsewhere = `${applicationPath(other.id)}/conversations/${id}/messages`;
    expect(refusalOf(await call(service, 'GET', elsewhere))[0]).toBe(404);
  });
});
