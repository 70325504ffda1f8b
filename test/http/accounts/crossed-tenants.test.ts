import { expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { AUTH, bare, bearer, login, messageOf, tokensOf } from '../../helpers/auth.ts';
import { createCall } from '../../helpers/chat.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

/** Attacks across the border of a workspace, or past a credential. */

const service = useService();

it('a scheme of Authorization other than bearer is a bad credential, and no weaker one counts in its place', async () => {
  const owner = await createWorkspace();
  const { access_token } = tokensOf(await login(service, owner));
  const statusOf = async (headers: Record<string, string>) =>
    (await bare(service, 'GET', `${AUTH}/me`, { headers })).status;
  for (const authorization of ['Basic dXNlcjpwYXNzd29yZA==', 'Digest username="a"', 'anything'])
    expect(await statusOf({ authorization, 'x-api-key': owner.apiKey }), authorization).toBe(401);
  expect(await statusOf({ 'x-api-key': owner.apiKey })).toBe(200);
  expect(await statusOf({ ...bearer(access_token), 'x-api-key': 'tpk_wrong' })).toBe(200);
});

it('an application takes no workflow of another workspace, when it is made or changed', async () => {
  const [mine, other] = [await createWorkspace(), await createWorkspace()];
  const graph = {
    nodes: [
      { id: 'start', type: 'start', data: { config: { fields: [] } } },
      { id: 'answer', type: 'answer', data: { config: { text: 'Hello' } } },
    ],
    edges: [{ source: 'start', target: 'answer' }],
  };
  const workflowOf = async ({ apiKey }: { apiKey: string }) => {
    const made = await call({ ...service, apiKey }, 'POST', '/api/v1/workflows', { body: { name: 'Flow', graph } });
    return (made.json as { data: { id: string } }).data.id;
  };
  const [foreign, own] = [await workflowOf(other), await workflowOf(mine)];
  const caller = { ...service, apiKey: mine.apiKey };
  const create = (workflow_id: string) =>
    createCall(caller, { name: workflow_id, type: 'workflow', config: { workflow_id } });
  const refused = await create(foreign);
  expect(refused.status).toBe(422);
  expect(messageOf(refused)).toContain('config.workflow_id: your workspace has no workflow');
  const made = await create(own);
  expect(made.status).toBe(201);
  const { id } = (made.json as { data: { id: string } }).data;
  const body = { config: { workflow_id: foreign } };
  expect((await call(caller, 'PATCH', `/api/v1/applications/${id}`, { body })).status).toBe(422);
});

it('a session id of a program holds no control character', async () => {
  const body = { code: 'print(1)', language: 'python', session_id: 'a\0b' };
  const answer = await call(service, 'POST', '/api/v1/execute', { body });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.json)).toContain('control characters');
});
