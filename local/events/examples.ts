import { readFile } from 'node:fs/promises';
import type { Route } from '../../functions/shared/http/route.ts';

/** A client's request to a route; everything else of an event follows from the route table. */
export interface Example {
  /** Added to the file's name where a route has several: `extraction.extract-by-url.json`. */
  readonly name?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

const SAMPLE_PAGE = new URL('../../docs/sample-page.png', import.meta.url);

const execution = { pathParameters: { execution_id: 'exec_01JDEXAMPLE000000000000000' } };

const application = { pathParameters: { id: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b' } };
/** No event holds a real password. */
const account = { email: 'owner@example.com', password: 'correct horse battery' };

const conversation = {
  pathParameters: { ...application.pathParameters, conversation_id: 'conv_01JDXM00000000000000000000' },
};
const base = { pathParameters: { id: '0198c2a4-5b6d-7e8f-9a0b-2d3e4f5a6b7c' } };
const document = {
  pathParameters: { ...base.pathParameters, document_id: '0198c2a4-5b6d-7e8f-9a0b-3e4f5a6b7c8d' },
};
const source = {
  pathParameters: { ...base.pathParameters, source_id: '0198c2a4-5b6d-7e8f-9a0b-4f5a6b7c8d9e' },
};
const channel = { pathParameters: { id: 'chn_01JDXM00000000000000000000' } };
const deadLetter = { pathParameters: { id: 'dl_01JDXM00000000000000000000' } };
const chat = { pathParameters: { application_id: application.pathParameters.id } };

const storedResponse = {
  pathParameters: { ...chat.pathParameters, response_id: `resp_${'01JDXM00000000000000000000'.repeat(2)}` },
};

const workflow = { pathParameters: { id: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6c' } };
const workflowVersion = { pathParameters: { ...workflow.pathParameters, number: '1' } };
const workflowForm = {
  pathParameters: { form: `ws_1.run_01JDXM00000000000000000000.YXNr.${'A'.repeat(43)}` },
};
const workflowTrigger = {
  pathParameters: { ...workflow.pathParameters, trigger: 'trg_01JDXM00000000000000000000' },
};
const workflowRun = { pathParameters: { id: 'run_01JDXM00000000000000000000' } };
const workflowGraph = {
  nodes: [
    { id: 'start', type: 'start', data: { config: { fields: [{ name: 'name', type: 'text' }] } } },
    { id: 'greeting', type: 'answer', data: { config: { text: 'Hello {{start.name}}' } } },
  ],
  edges: [{ source: 'start', target: 'greeting' }],
};
/** JSON is YAML. */
const WORKFLOW_SOURCE = JSON.stringify({ form: 'tripod-workflow/1', name: 'Greeting', graph: workflowGraph });

const DIFY_DSL = `app: { name: Echo, mode: advanced-chat }
workflow:
  graph:
    nodes:
      - { id: '1', data: { type: start, title: Start, variables: [] } }
      - { id: '2', data: { type: answer, title: Answer, answer: 'You said {{#sys.query#}}' } }
    edges:
      - { id: e, source: '1', target: '2', sourceHandle: source }
`;

const examplesById: Readonly<Record<string, () => Promise<readonly Example[]>>> = {
  'accounts.change-balance': async () => [{ body: { lowBalanceThresholdKrw: 2000 } }],
  'accounts.change-workspace': async () => [{ body: { retention_days: 7, mask_resident_numbers: true } }],
  'accounts.request-deletion': async () => [{ body: { workspace_name: 'Ganada Pharmacy' } }],
  'accounts.start-export': async () => [{}],
  'accounts.get-export': async () => [{ pathParameters: { id: 'exp_01JDXM00000000000000000000' } }],
  'accounts.post-payment': async () => [
    {
      headers: { 'webhook-id': 'msg_example', 'webhook-timestamp': '1793491200', 'webhook-signature': 'v1,example' },
      body: {
        type: 'payment.confirmed',
        data: { workspaceId: 'ws_01JDXM00000000000000000000', amountKrw: 100_000, reference: 'payment 1' },
      },
    },
  ],
  'accounts.create-api-key': async () => [{ body: { name: 'accounting', scopes: ['extraction'] } }],
  'accounts.end-session': async () => [{ pathParameters: { id: 'EXAMPLE0000000000000000' } }],
  'accounts.set-budget': async () => [
    { pathParameters: { kind: 'key', id: '0EXAMPLE00000' }, body: { krw_per_day: 20_000, krw_per_month: 300_000 } },
  ],
  'accounts.remove-budget': async () => [{ pathParameters: { kind: 'key', id: '0EXAMPLE00000' } }],
  'accounts.revoke-api-key': async () => [{ pathParameters: { id: '0EXAMPLE00000' } }],
  'accounts.register': async () => [{ body: { ...account, workspace_name: 'Example' } }],
  'accounts.login': async () => [{ body: account }],
  'accounts.refresh': async () => [{ body: { refresh_token: 'trt_example' } }],
  'accounts.logout': async () => [{}],
  'accounts.request-confirmation': async () => [{}],
  'accounts.change-password': async () => [
    { body: { current_password: account.password, new_password: 'incorrect horse battery' } },
  ],
  'accounts.enrol-second-factor': async () => [{ body: { current_password: account.password } }],
  'accounts.confirm-second-factor': async () => [{ body: { code: '123456' } }],
  'accounts.replace-recovery-codes': async () => [{ body: { code: '123456' } }],
  'accounts.disable-second-factor': async () => [{ body: { current_password: account.password, code: '123456' } }],
  'accounts.configure-sso': async () => [
    {
      body: {
        ...{ issuer: 'https://login.example.com', client_id: 'tripod', client_secret: 'example' },
        ...{ domains: ['example.com'], default_role: 'viewer', required: false },
      },
    },
  ],
  'accounts.prove-sso-domains': async () => [{}],
  'accounts.begin-sign-in': async () => [{ body: { email: account.email } }],
  'accounts.complete-sign-in': async () => [{ body: { state: 'example', code: 'example' } }],
  'accounts.request-password-reset': async () => [{ body: { email: account.email } }],
  'accounts.reset-password': async () => [{ body: { token: 'example', new_password: account.password } }],
  'accounts.accept-invitation': async () => [{ body: { token: 'example', password: account.password } }],
  'accounts.confirm-email': async () => [{ body: { token: 'example', password: account.password } }],
  'accounts.invite-member': async () => [{ body: { email: 'viewer@example.com', role: 'viewer' } }],
  'accounts.change-member': async () => [
    { pathParameters: { id: 'usr_01JDEXAMPLE000000000000000' }, body: { role: 'admin' } },
  ],
  'accounts.remove-member': async () => [{ pathParameters: { id: 'usr_01JDEXAMPLE000000000000000' } }],
  'accounts.top-up': async () => [{ body: { amountKrw: 50_000, reference: 'transfer-20261101-0001' } }],
  'chat.create-application': async () => [{ body: { name: 'Support', type: 'chat' } }],
  'chat.get-application': async () => [application],
  'chat.change-application': async () => [{ ...application, body: { description: 'Answers customers' } }],
  'chat.remove-application': async () => [application],
  'chat.create-access-token': async () => [{ ...application, body: { name: 'Website' } }],
  'chat.list-access-tokens': async () => [application],
  'chat.change-access-token': async () => [
    {
      pathParameters: { ...application.pathParameters, token_id: '0000000000001' },
      body: { visitor_requests_per_day: 50 },
    },
  ],
  'chat.revoke-access-token': async () => [
    { pathParameters: { ...application.pathParameters, token_id: '0000000000001' } },
  ],
  'chat.list-conversations': async () => [application],
  'chat.list-messages': async () => [conversation],
  'chat.remove-conversations': async () => [{ query: 'session_id=patient-1' }],
  'chat.remove-conversation': async () => [conversation],
  'chat.rate-message': async () => [
    {
      pathParameters: { ...conversation.pathParameters, message_id: 'chatcmpl-01JDXM00000000000000000000' },
      body: { rating: 'up' },
    },
  ],
  'workflows.create-workflow': async () => [{ body: { name: 'Greeting', graph: workflowGraph } }],
  'workflows.import-workflow': async () => [{ body: { dsl: DIFY_DSL } }],
  'workflows.get-workflow': async () => [workflow],
  'workflows.change-workflow': async () => [{ ...workflow, body: { description: 'Greets people' } }],
  'workflows.remove-workflow': async () => [workflow],
  'workflows.validate-workflow': async () => [{ ...workflow, body: { graph: workflowGraph } }],
  'workflows.publish-workflow': async () => [{ ...workflow, body: { note: 'First version' } }],
  'workflows.list-versions': async () => [workflow],
  'workflows.get-version': async () => [workflowVersion],
  'workflows.restore-version': async () => [workflowVersion],
  'workflows.run-workflow': async () => [{ ...workflow, body: { inputs: { name: 'Kim' } } }],
  'workflows.run-node': async () => [
    { pathParameters: { ...workflow.pathParameters, node: 'greeting' }, body: { inputs: { name: 'Kim' } } },
  ],
  'workflows.list-runs': async () => [workflow],
  'workflows.get-run': async () => [workflowRun],
  'workflows.compare-runs': async () => [{ ...workflowRun, query: `with=${workflowRun.pathParameters.id}` }],
  'workflows.cancel-run': async () => [workflowRun],
  'workflows.approve-run': async () => [{ ...workflowRun, body: { comment: 'As agreed' } }],
  'workflows.put-source': async () => [{ ...workflow, body: { source: WORKFLOW_SOURCE } }],
  'workflows.evaluate-workflow': async () => [
    {
      ...workflow,
      body: { cases: [{ name: 'Greets', inputs: { name: 'Kim' }, expected: [{ contains: 'Kim' }] }] },
    },
  ],
  'workflows.retry-run': async () => [{ ...workflowRun, body: {} }],
  'workflows.submit-run': async () => [{ ...workflowRun, body: { values: { name: 'Kim' } } }],
  'workflows.get-form': async () => [workflowForm],
  'workflows.answer-form': async () => [{ ...workflowForm, body: { name: 'Kim' } }],
  'workflows.list-triggers': async () => [workflow],
  'workflows.create-trigger': async () => [
    {
      ...workflow,
      body: {
        ...{ name: 'Each morning', type: 'schedule', cron: '0 9 * * 1-5', time_zone: 'Asia/Seoul' },
        inputs: { name: '{{schedule.planned_at}}' },
      },
    },
  ],
  'workflows.change-trigger': async () => [{ ...workflowTrigger, body: { enabled: false } }],
  'workflows.remove-trigger': async () => [workflowTrigger],
  'workflows.receive-webhook': async () => [
    {
      pathParameters: { trigger: workflowTrigger.pathParameters.trigger },
      headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': '1793491200', 'webhook-signature': 'v1,example' },
      body: { customer: { name: 'Kim' } },
    },
  ],
  'workflows.reject-run': async () => [{ ...workflowRun, body: { comment: 'Too much' } }],
  'chat.complete-chat': async () => [
    { ...chat, body: { messages: [{ role: 'user', content: 'Hello' }], stream: true } },
  ],
  'chat.create-response': async () => [{ ...chat, body: { input: 'Hello', stream: true } }],
  'chat.get-response': async () => [storedResponse],
  'chat.list-input-items': async () => [storedResponse],
  'chat.cancel-response': async () => [storedResponse],
  'chat.remove-response': async () => [storedResponse],
  'chat.create-embeddings': async () => [{ ...chat, body: { input: 'Hello' } }],
  'chat.complete-preview': async () => [
    { body: { model: application.pathParameters.id, messages: [{ role: 'user', content: 'Hello' }] } },
  ],
  'chat.list-models': async () => [chat],
  'chat.get-model': async () => [{ pathParameters: { ...chat.pathParameters, model: 'embedded' } }],
  'knowledge.create-knowledge-base': async () => [{ body: { name: 'Handbook' } }],
  'knowledge.get-knowledge-base': async () => [base],
  'knowledge.change-knowledge-base': async () => [{ ...base, body: { name: 'Handbook for customers' } }],
  'knowledge.remove-knowledge-base': async () => [base],
  'knowledge.create-document-upload': async () => [
    { ...base, body: { content_type: 'application/pdf', content_length: 250_000 } },
  ],
  'knowledge.add-document': async () => [
    { ...base, body: { title: '환불 안내', text: '환불은 결제한 날부터 7일 안에 신청할 수 있습니다.' } },
  ],
  'knowledge.list-documents': async () => [base],
  'knowledge.get-document': async () => [document],
  'knowledge.list-passages': async () => [document],
  'knowledge.replace-document': async () => [
    { ...document, body: { title: '환불 안내', text: '환불은 결제한 날부터 14일 안에 신청할 수 있습니다.' } },
  ],
  'knowledge.remove-document': async () => [document],
  'knowledge.add-source': async () => [
    { ...base, body: { type: 'website', url: 'https://example.com/docs/', schedule: 'daily' } },
    { ...base, name: 's3', body: { type: 's3', prefix: 'manuals/', schedule: 'hourly' } },
  ],
  'knowledge.list-sources': async () => [base],
  'knowledge.get-source': async () => [source],
  'knowledge.remove-source': async () => [source],
  'knowledge.search-knowledge': async () => [{ ...base, body: { query: '환불은 언제까지 되나요?' } }],
  'channels.create-channel': async () => [
    {
      body: {
        name: 'Support in Slack',
        type: 'slack',
        application_id: application.pathParameters.id,
        secrets: { signing_secret: 'example', bot_token: 'xoxb-example' },
      },
    },
  ],
  'channels.get-channel': async () => [channel],
  'channels.change-channel': async () => [{ ...channel, body: { name: 'Support', status: 'active' } }],
  'channels.test-channel': async () => [{ ...channel, body: { to: 'C0123456789' } }],
  'channels.remove-channel': async () => [channel],
  'channels.handle-webhook': async () => [
    {
      pathParameters: { channel_type: 'slack' },
      headers: { 'X-Slack-Request-Timestamp': '1793491200', 'X-Slack-Signature': 'v0=example' },
      body: { type: 'url_verification', challenge: 'example' },
    },
  ],
  'channels.verify-webhook': async () => [
    {
      pathParameters: { channel_type: 'whatsapp' },
      query: 'hub.mode=subscribe&hub.verify_token=example&hub.challenge=1158201444',
    },
  ],
  'channels.replay-dead-letter': async () => [deadLetter],
  'channels.remove-dead-letter': async () => [deadLetter],
  'channels.replay-dead-letters': async () => [{ body: { filter: { reason: 'circuit_open' } } }],
  'extraction.create-upload': async () => [{ body: { contentType: 'image/png' } }],
  'extraction.extract': async () => [{ body: { image: (await readFile(SAMPLE_PAGE)).toString('base64') } }],
  'extraction.put-own-list': async () => [
    { body: { file: Buffer.from('code,name,price,from\naug500,오구멘틴정,350,2026-11-01\n').toString('base64') } },
  ],
  'sandbox.execute': async () => [{ body: { language: 'python', code: 'print("hello")' } }],
  'sandbox.create-upload': async () => [{ body: { size: 1_000_000 } }],
  'sandbox.execute-batch': async () => [
    { body: ['one', 'two'].map((word) => ({ language: 'python', code: `print("${word}")` })) },
  ],
  'sandbox.execute-async': async () => [{ body: { language: 'python', code: 'print("hello")', session_id: 'demo' } }],
  'sandbox.get-execution': async () => [execution],
  'sandbox.cancel-execution': async () => [execution],
  'sandbox.list-session': async () => [{ pathParameters: { session_id: 'demo' } }],
  'sandbox.remove-session': async () => [{ pathParameters: { session_id: 'demo' } }],
  'mcp.post-message': async () => [
    {
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'run_program', arguments: { language: 'python', code: 'print("hello")' } },
      },
    },
  ],
  'extraction.extract-batch-async': async () => [
    { body: { images: [(await readFile(SAMPLE_PAGE)).toString('base64')] } },
  ],
  'extraction.get-job': async () => [{ pathParameters: { id: 'job_01JDEXAMPLE000000000000000' }, query: 'items=1' }],
  'extraction.remove-job': async () => [{ pathParameters: { id: 'job_01JDEXAMPLE000000000000000' } }],
  'extraction.remove-extraction': async () => [{ pathParameters: { id: 'ext_01JDEXAMPLE0000000000000000' } }],
  'extraction.put-review': async () => [
    {
      pathParameters: { id: 'ext_01JDEXAMPLE0000000000000000' },
      body: { version: 0, lines: [{ index: 0, decision: 'corrected', values: { quantity: 2 } }] },
    },
  ],
  'extraction.remove-picture': async () => [{ pathParameters: { id: 'ext_01JDEXAMPLE0000000000000000' } }],
  'extraction.get-picture': async () => [{ pathParameters: { id: 'ext_01JDEXAMPLE0000000000000000' } }],
  'extraction.get-extraction': async () => [{ pathParameters: { id: 'ext_01JDEXAMPLE0000000000000000' } }],
};

/**
 * The examples of a route: those above, or an empty request where that can be one. @throws Error for a route that needs
 * more than that and has no example.
 */
export async function examplesOf(route: Route): Promise<readonly Example[]> {
  const examples = examplesById[route.id];
  if (examples !== undefined) return examples();
  if (route.path.includes('{') || route.method === 'POST' || route.method === 'PUT' || route.method === 'PATCH') {
    throw new Error(`${route.id} needs an example request in local/events/examples.ts`);
  }
  return [{}];
}
