import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock, ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import { laneOwner } from '../../functions/channels/domain/accept-webhook.ts';
import { deadLetterOf, laneRefOf } from '../../functions/channels/domain/delivery/lane-runs.ts';
import { newExecution } from '../../functions/sandbox/domain/execution.ts';
import { channels, lanes } from '../../functions/wiring/channels/channels.ts';
import { executions } from '../../functions/wiring/sandbox/sandbox.ts';
import { call, extractWhenFree, uploadCall } from '../helpers/api.ts';
import { bearer, login, tokensOf } from '../helpers/auth.ts';
import { refillLimits } from '../helpers/limits.ts';
import { joinedMember } from '../helpers/members.ts';
import { oneLinePage } from '../helpers/page-images.ts';
import type { UsedService } from '../helpers/service.ts';
import { type ToolServer, toolServer } from '../helpers/tool-servers.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

/** A workspace that is not the caller's, and what it has, by the routes that find it there. */
export function useForeignResources(service: UsedService) {
  let other: TestWorkspace;
  beforeAll(async () => {
    other = await createWorkspace();
  });

  /** Resources of `other`, by the route that finds them. */
  const resources: Readonly<Record<string, () => Promise<string | readonly string[]>>> = {
    'accounts.revoke-api-key': async () => {
      const body = { name: 'theirs' };
      const answer = await call({ ...service, ...other }, 'POST', '/api/v1/api-keys', { body });
      return (answer.json as { data: { id: string } }).data.id;
    },
    'accounts.end-session': async () => {
      const headers = await ownerOfOther();
      const { json } = await call(service, 'GET', '/api/v1/auth/sessions', { key: null, headers });
      return (json as { data: { id: string }[] }).data[0]!.id;
    },
    'accounts.set-budget': async () => ['key', (await newBudget()).id],
    'accounts.remove-budget': async () => ['key', (await newBudget()).id],
    'accounts.change-member': newMember,
    'accounts.remove-member': newMember,
    'accounts.get-export': async () => {
      const headers = await ownerOfOther();
      const { json } = await call(service, 'POST', '/api/v1/workspace/exports', { key: null, headers });
      return (json as { data: { id: string } }).data.id;
    },
    'extraction.get-job': newJob,
    'extraction.remove-job': newJob,
    'extraction.get-extraction': () => newExtraction(),
    'extraction.remove-extraction': () => newExtraction(),
    'extraction.put-review': () => newExtraction(),
    'extraction.get-picture': async () => newExtraction({ imageUrl: await newUpload() }),
    'extraction.remove-picture': async () => newExtraction({ imageUrl: await newUpload() }),
    'chat.get-application': newApplication,
    'chat.change-application': newApplication,
    'chat.remove-application': newApplication,
    'chat.create-access-token': newApplication,
    'chat.list-access-tokens': newApplication,
    'chat.change-access-token': newAccessToken,
    'chat.revoke-access-token': newAccessToken,
    'chat.list-conversations': newApplication,
    'chat.list-messages': async () => (await newConversation()).slice(0, 2),
    'chat.remove-conversation': async () => (await newConversation()).slice(0, 2),
    'chat.rate-message': newConversation,
    'chat.complete-chat': newApplication,
    'chat.create-response': newApplication,
    'chat.get-response': newResponse,
    'chat.list-input-items': newResponse,
    'chat.cancel-response': newResponse,
    'chat.remove-response': newResponse,
    'chat.create-embeddings': newEmbeddingApplication,
    'chat.list-models': newApplication,
    'chat.get-model': async () => [await newApplication(), 'embedded'],
    'knowledge.get-knowledge-base': () => newBase(),
    'knowledge.change-knowledge-base': () => newBase(),
    'knowledge.remove-knowledge-base': () => newBase(),
    'knowledge.create-document-upload': () => newBase(),
    'knowledge.add-document': () => newBase(),
    'knowledge.list-documents': () => newBase(),
    'knowledge.get-document': newDocument,
    'knowledge.list-passages': newDocument,
    'knowledge.replace-document': newDocument,
    'knowledge.remove-document': newDocument,
    'knowledge.search-knowledge': () => newBase(),
    'knowledge.add-source': () => newBase(),
    'knowledge.list-sources': () => newBase(),
    'knowledge.get-source': newSource,
    'knowledge.remove-source': newSource,
    'channels.get-channel': newChannel,
    'channels.change-channel': newChannel,
    'channels.test-channel': newChannel,
    'channels.remove-channel': newChannel,
    'channels.replay-dead-letter': newDeadLetter,
    'channels.remove-dead-letter': newDeadLetter,
    'workflows.get-workflow': () => newWorkflow(),
    'workflows.change-workflow': () => newWorkflow(),
    'workflows.remove-workflow': () => newWorkflow(),
    'workflows.validate-workflow': () => newWorkflow(),
    'workflows.publish-workflow': () => newWorkflow(),
    'workflows.list-versions': () => newWorkflow(),
    'workflows.get-version': async () => [await newWorkflow(), '1'],
    'workflows.restore-version': async () => [await newWorkflow(), '1'],
    'workflows.run-workflow': () => newWorkflow(),
    'workflows.run-node': async () => [await newWorkflow(), 'end'],
    'workflows.list-runs': () => newWorkflow(),
    'workflows.get-run': () => newRun(),
    'workflows.compare-runs': () => newRun(),
    'workflows.cancel-run': () => newRun(),
    'workflows.approve-run': () => newRun(),
    'workflows.reject-run': () => newRun(),
    'workflows.put-source': () => newWorkflow(),
    'workflows.evaluate-workflow': () => newWorkflow(),
    'workflows.retry-run': newFailedRun,
    'workflows.submit-run': () => newRun('human_input'),
    'workflows.list-triggers': () => newWorkflow(),
    'workflows.create-trigger': () => newWorkflow(),
    'workflows.change-trigger': newTrigger,
    'workflows.remove-trigger': newTrigger,
    'sandbox.get-execution': newRecordedExecution,
    'sandbox.cancel-execution': newRecordedExecution,
    'sandbox.list-session': async () => sessionOf(await newRecordedExecution()),
    'sandbox.remove-session': async () => sessionOf(await newRecordedExecution()),
  };
  const uniqueName = () => ulidIds.next('name');

  /** The budget of a new key. */
  async function newBudget(): Promise<{ readonly id: string }> {
    const theirs = { ...service, ...other };
    const made = await call(theirs, 'POST', '/api/v1/api-keys', { body: { name: uniqueName() } });
    const { id } = (made.json as { data: { id: string } }).data;
    await call(theirs, 'PUT', `/api/v1/budgets/key/${id}`, { body: { krw_per_day: 1_000 } });
    return { id };
  }

  async function newExtraction(body?: object): Promise<string> {
    const read = body ?? { image: (await oneLinePage()).toString('base64') };
    return ((await extractWhenFree(service, other, read)).json as { requestId: string }).requestId;
  }

  async function newUpload(): Promise<string> {
    const headers = { 'content-type': 'image/png' };
    const { json } = await uploadCall(service, other, { contentType: headers['content-type'] });
    const { uploadUrl, imageUrl } = json as { uploadUrl: string; imageUrl: string };
    await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(await oneLinePage()) });
    return imageUrl;
  }

  async function newApplication(): Promise<string> {
    const body = { name: uniqueName(), type: 'chat' };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/applications', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  /** An application whose knowledge base has an embedding model. */
  async function newEmbeddingApplication(): Promise<string> {
    vectors ??= await toolServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 0] }] }));
    });
    const embedding = { provider: 'openai-compatible', model: 'm', base_url: vectors.url };
    const body = { name: uniqueName(), type: 'chat', config: { knowledge_bases: [await newBase({ embedding })] } };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/applications', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  let vectors: ToolServer | undefined;
  afterAll(() => vectors?.stop());

  async function newBase(more: object = {}): Promise<string> {
    const body = { name: uniqueName(), ...more };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/knowledge-bases', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  /** Ids of an application and of a token of it. */
  async function newAccessToken(): Promise<[string, string]> {
    const id = await newApplication();
    const path = `/api/v1/applications/${id}/access-tokens`;
    const answer = await call({ ...service, ...other }, 'POST', path, { body: {} });
    return [id, (answer.json as { data: { id: string } }).data.id];
  }

  /** Ids of a knowledge base and of a document in it. */
  async function newDocument(): Promise<[string, string]> {
    const base = await newBase();
    const body = { title: 'theirs', text: 'x' };
    const answer = await call({ ...service, ...other }, 'POST', `/api/v1/knowledge-bases/${base}/documents`, { body });
    return [base, (answer.json as { data: { id: string } }).data.id];
  }

  /** Ids of a knowledge base and of a source of it. */
  async function newSource(): Promise<[string, string]> {
    const base = await newBase();
    const body = { type: 's3', prefix: 'theirs/' };
    const answer = await call({ ...service, ...other }, 'POST', `/api/v1/knowledge-bases/${base}/sources`, { body });
    return [base, (answer.json as { data: { id: string } }).data.id];
  }

  async function newChannel(): Promise<string> {
    const body = {
      ...{ name: 'theirs', type: 'custom', application_id: await newApplication() },
      secrets: { signing_secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
      settings: { url: 'https://example.com/hook' },
    };
    const answer = await call({ ...service, ...other }, 'POST', '/api/v1/channels', { body });
    return (answer.json as { data: { id: string } }).data.id;
  }

  /** A message to a channel whose application is removed, given up. */
  async function newDeadLetter(): Promise<string> {
    const channelId = await newChannel();
    const channel = (await channels().find(channelId))!;
    const conversationId = 'c';
    const lane = { channelId, direction: 'inbound', priority: null, conversationId } as const;
    const message = {
      ...{ eventId: 'e', conversationId, sender: { id: 'p', name: null }, text: 'Hello' },
      ...{ attachments: [], replyTo: {}, place: 'direct' as const },
    };
    const queued = { messageId: 'msg_1', receivedAtMs: systemClock.now(), message };
    await lanes().accept(lane, laneOwner(channel), queued);
    const untilMs = systemClock.now() + 60_000;
    const acquired = await lanes().acquire(laneRefOf(lane), 'run', systemClock.now(), untilMs);
    if (acquired.kind !== 'acquired') throw new Error(acquired.kind);
    const letter = deadLetterOf(
      acquired.lane,
      { reason: 'test', detail: null, attempts: 1 },
      { ids: ulidIds, clock: systemClock },
    );
    await lanes().buryHead(acquired.lane, letter);
    return letter.deadLetterId;
  }

  /** A published one, whose runs wait for an approval. */
  async function newWorkflow(waiting: 'approval' | 'human_input' = 'approval'): Promise<string> {
    const fields = [{ name: 'name', type: 'text' }];
    const nodes = [
      { id: 'start', type: 'start', data: { config: { fields: [{ name: 'name', type: 'text', required: false }] } } },
      { id: 'ask', type: waiting, data: { config: { message: '?', ...(waiting === 'human_input' && { fields }) } } },
      { id: 'end', type: 'template', data: { config: { template: 'done' } } },
    ];
    const edges = [
      { source: 'start', target: 'ask' },
      { source: 'ask', target: 'end', sourceHandle: waiting === 'approval' ? 'approved' : 'out' },
    ];
    const graph = { nodes, edges };
    const theirs = { ...service, ...other };
    const answer = await call(theirs, 'POST', '/api/v1/workflows', { body: { name: uniqueName(), graph } });
    const { id } = (answer.json as { data: { id: string } }).data;
    await call(theirs, 'POST', `/api/v1/workflows/${id}/versions`, { body: {} });
    return id;
  }

  async function newTrigger(): Promise<[string, string]> {
    const id = await newWorkflow();
    const body = { name: 'theirs', type: 'event', event: 'batch.completed' };
    const path = `/api/v1/workflows/${id}/triggers`;
    const answer = await call({ ...service, ...other }, 'POST', path, { body });
    return [id, (answer.json as { data: { id: string } }).data.id];
  }

  async function newFailedRun(): Promise<string> {
    const id = await newRun();
    await call({ ...service, ...other }, 'DELETE', `/api/v1/runs/${id}`);
    const find = async () => {
      const { json } = await call({ ...service, ...other }, 'GET', `/api/v1/runs/${id}`);
      return (json as { data: { status: string } }).data.status;
    };
    await expect.poll(find, { timeout: 20_000 }).toBe('cancelled');
    return id;
  }

  async function newRun(waiting?: 'human_input'): Promise<string> {
    const path = `/api/v1/workflows/${await newWorkflow(waiting)}/run`;
    return ((await call({ ...service, ...other }, 'POST', path, { body: {} })).json as { data: { id: string } }).data
      .id;
  }

  /** Ids of an application, a conversation with it and the answer in it. */
  async function newConversation(): Promise<[string, string, string]> {
    await refillLimits();
    const id = await newApplication();
    const theirs = { ...service, ...other };
    const answer = await call(theirs, 'POST', `/api/v1/chat/${id}/chat/completions`, {
      headers: { 'x-session-id': 'session-1' },
      body: { messages: [{ role: 'user', content: 'Hello' }] },
    });
    const listed = await call(theirs, 'GET', `/api/v1/applications/${id}/conversations`);
    const { conversations } = (listed.json as { data: { conversations: [{ id: string }] } }).data;
    return [id, conversations[0].id, (answer.json as { id: string }).id];
  }

  async function newResponse(): Promise<[string, string]> {
    await refillLimits();
    const id = await newApplication();
    const path = `/api/v1/chat/${id}/responses`;
    const answer = await call({ ...service, ...other }, 'POST', path, { body: { input: 'Hello' } });
    return [id, (answer.json as { id: string }).id];
  }

  const sessionOf = (executionId: string) => `session-${executionId}`;

  async function ownerOfOther(): Promise<Record<string, string>> {
    return bearer(tokensOf(await login(service, other)).access_token);
  }

  async function newJob(): Promise<string> {
    const body = { images: ['AAAA'] };
    const path = '/api/v1/edi-extract-lite/extract-batch-async';
    return ((await call({ ...service, ...other }, 'POST', path, { body })).json as { jobId: string }).jobId;
  }

  async function newMember(): Promise<string> {
    return (await joinedMember(service, other, 'viewer')).id;
  }

  async function newRecordedExecution(): Promise<string> {
    const id = { workspaceId: other.workspaceId, executionId: ulidIds.next('exec') };
    const request = { language: 'python', sessionId: sessionOf(id.executionId) };
    const lease = { ...id, fence: 'test' };
    const execution = newExecution(id, request, 'running', systemClock.now());
    await executions().create({ execution, lease, leaseUntilMs: systemClock.now() + 600_000 });
    return id.executionId;
  }

  return {
    resources,
    /** Headers of its owner. */
    owner: ownerOfOther,
    get apiKey() {
      return other.apiKey;
    },
  };
}
