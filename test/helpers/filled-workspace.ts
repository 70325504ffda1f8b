import { expect } from 'vitest';
import { NAVIGATION } from '../../console/src/app/navigation.ts';
import type { Graph } from '../../functions/workflows/domain/graph/graph.ts';
import { toGraphResponse } from '../../functions/workflows/graph-wire.ts';
import { call, extractWhenFree } from './api.ts';
import { batchCall, finishedJob } from './batch.ts';
import { fixturePage, shortPage } from './page-images.ts';
import { type RunResponse, runWorkflow } from './workflows/calls.ts';
import { graph, node } from './workflows/graphs.ts';
import type { TestWorkspace } from './workspace.ts';

/** Paths of the console, each with something on its page. */
export interface FilledPages {
  readonly reviews: readonly string[];
  /** A workflow whose graph has issues. */
  readonly faulty: string;
  readonly approvalRun: string;
  readonly chatflow: string;
  readonly application: string;
  readonly base: string;
  /** All of them. */
  readonly all: readonly string[];
}

type Service = { readonly baseUrl: string };
type Post = (path: string, body: object) => Promise<{ readonly id: string }>;

/** Fills a workspace with Korean names, so that each page of the console shows something. */
export async function filledWorkspace(service: Service, owner: TestWorkspace): Promise<FilledPages> {
  const caller = { ...service, ...owner };
  const post: Post = async (path, body) => {
    const { status, json } = await call(caller, 'POST', `/api/v1/${path}`, { body });
    expect(status, JSON.stringify(json)).toBeLessThan(300);
    return (json as { data: { id: string } }).data;
  };
  const { reviews, jobId } = await readPages(service, owner);
  const { application, base } = await applicationWithKnowledge(post);
  const workflows = await workflowsWithRuns(caller, post);
  return {
    ...{ reviews, application, base },
    ...{ faulty: workflows.faulty, approvalRun: workflows.approval, chatflow: workflows.chatflow },
    all: [
      ...NAVIGATION.map(({ to }) => to),
      ...reviews,
      ...[`/read?job=${jobId}`, `/extractions?job=${jobId}`],
      ...['usage', 'keys', 'members', 'data', 'security', 'audit'].map((tab) => `/account?tab=${tab}`),
      ...[application, base],
      ...Object.values(workflows),
      '/workflows/waiting',
      ...['quickstart.md', 'extraction.md', 'console.md', 'errors.md', 'chat.md'].map((guide) => `/guides/${guide}`),
      ...['/account/nowhere', '/guides/nowhere.md', '/workflows/00000000-0000-7000-8000-000000000000'],
    ],
  };
}

/** A page with doubted lines, one without, and a batch of a page and of one that cannot be read. */
async function readPages(service: Service, owner: TestWorkspace) {
  const [hard, short] = await Promise.all([fixturePage('hard-001.jpg'), shortPage()]);
  const read = async (image: Buffer, more: object = {}) => {
    const body = { image: image.toString('base64'), ...more };
    return ((await extractWhenFree(service, owner, body)).json as { requestId: string }).requestId;
  };
  const old = { serviceDate: '1999-01-01' };
  const ids = [await read(hard, old), await read(short), await read(short, old)];
  const batch = await batchCall(service, owner, { images: ['aGVsbG8=', short.toString('base64')] });
  const { jobId } = batch.json as { jobId: string };
  await finishedJob(service, owner, jobId);
  return { reviews: ids.map((id) => `/review/${id}`), jobId };
}

async function applicationWithKnowledge(post: Post) {
  const application = await post('applications', { name: '약국 안내', type: 'chat' });
  await post(`applications/${application.id}/access-tokens`, { name: '홈페이지' });
  const base = await post('knowledge-bases', { name: '업무 안내', description: '영업시간' });
  await post(`knowledge-bases/${base.id}/documents`, { title: '영업시간', text: '아홉 시부터 다섯 시까지 엽니다.' });
  await post('channels', {
    ...{ name: '알림', type: 'custom', application_id: application.id },
    secrets: { signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    settings: { url: 'https://example.com/hook' },
  });
  return { application: `/applications/${application.id}`, base: `/knowledge/${base.id}` };
}

/** A published workflow that waits for an approval, one that waits for a form, one that failed, and one that cannot run. */
async function workflowsWithRuns(service: Service & TestWorkspace, post: Post) {
  const made = async (name: string, drawn: Graph) => {
    const { id } = await post('workflows', { name, graph: toGraphResponse(drawn) });
    return `/workflows/${id}`;
  };
  const ran = async (path: string) => {
    const { json } = await runWorkflow(service, path.slice('/workflows/'.length), { version: 'draft' });
    expect(json.data, json.message).not.toBeNull();
    return `${path}?run=${(json.data as RunResponse).id}`;
  };
  const [start, end] = [node('start', 'start', {}, { title: '시작' }), node('end', 'answer', { text: '끝' })];
  const between = (middle: Graph['nodes'][number], ways: readonly string[]) => graph([start, middle, end], ways);
  const approval = await made(
    '환불',
    between(node('ask', 'approval', { message: '환불할까요?' }, { title: '승인' }), [
      'start > ask',
      'ask:approved > end',
    ]),
  );
  const form = await made(
    '예약',
    between(
      node('ask', 'human_input', { fields: [{ name: 'day', type: 'text', label: '날짜' }], message: '언제 오시나요?' }),
      ['start > ask', 'ask > end'],
    ),
  );
  const failing = await made(
    '실패',
    between(node('code', 'agent', { prompt: '안녕' }, { title: '모델' }), ['start > code', 'code > end']),
  );
  const faulty = await made(
    '고칠 것',
    graph(
      [
        start,
        node('a', 'condition', {
          cases: [{ id: 'yes', match: 'all', conditions: [{ left: '{{gone.x}}', operator: 'equals' }] }],
        }),
        node('b', 'code', { language: 'perl', extra: 1 }, { title: '계산' }),
        node('c', 'http_request', { url: 'https://example.com/?q={{start.x}}', method: 'GET' }, { title: '조회' }),
        node('d', 'knowledge_search', { query: '{{sys.query}}', knowledge_base_ids: [] }, { title: '검색' }),
      ],
      ['start > a', 'a:yes > b', 'a:no > c', 'c > gone'],
    ),
  );
  const chatflow = await made(
    '대화',
    graph([start, node('end', 'answer', { text: '들은 말: {{sys.query}}' }, { title: '답변' })], ['start > end']),
  );
  return {
    ...{ chatflow, approval: await ran(approval), form: await ran(form), failedRun: await ran(failing), faulty },
  };
}
