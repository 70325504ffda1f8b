import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();

const FIELDS = [
  { name: 'name', type: 'text', required: true, max_length: 3 },
  { name: 'count', type: 'number' },
  { name: 'color', type: 'select', options: ['red', 'blue'] },
  { name: 'paper', type: 'file' },
  { name: 'papers', type: 'files' },
];
const INPUTS = { name: 'abcd', count: 'x', color: 'green', paper: 1, papers: ['x', 1], shoe: 1 };

async function refusal(inputs: object, language: string) {
  const start = node('start', 'start', { fields: FIELDS });
  const id = await publishedWorkflow(service, graph([start, node('end', 'answer', { text: 'x' })], ['start > end']));
  const response = await fetch(`${service.baseUrl}/api/v1/workflows/${id}/run`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json', 'accept-language': language },
    body: JSON.stringify({ inputs }),
  });
  const { message } = (await response.json()) as { readonly message: string };
  return { status: response.status, message };
}

it('the Korean answer to wrong inputs names the fault of each field', async () => {
  const { status, message } = await refusal(INPUTS, 'ko');
  expect(status).toBe(422);
  expect(message).not.toContain('값을 확인하세요');
  for (const fault of [
    'name: 3자 이하여야 합니다',
    'count: 맞지 않는 형식입니다. 필요한 형식: 숫자',
    'color: 다음 중 하나여야 합니다: red, blue',
    'paper: 파일이어야 합니다',
    'papers: 파일의 목록이어야 합니다',
    'shoe: 시작 노드에 없는 항목입니다. 있는 항목: name, count, color, paper, papers',
  ])
    expect(message).toContain(fault);
  expect((await refusal({}, 'ko')).message).toContain('name: 필요한 값입니다');
});

it('the English answer names the same faults', async () => {
  const { message } = await refusal({ count: 'x' }, 'en');
  expect(message).toContain('Inputs of the start node: name: is needed; count: must be a number; color: is needed');
});
