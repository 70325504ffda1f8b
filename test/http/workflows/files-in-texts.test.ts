import { expect, it } from 'vitest';
import { complete, contentOf, createApplication } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, difyStart } from '../../helpers/workflows/dify.ts';
import { useDifyFiles } from '../../helpers/workflows/dify-flow.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
const dify = useDifyFiles(service);
const model = { provider: 'p', name: 'gpt', completion_params: {} };
const PICTURE = `data:image/png;base64,${'iVBORw0K'.repeat(30_000)}`;

it('a picture of an imported memory template reaches no text of a prompt, now or in the next turn', async () => {
  const { id } = await dify.chatOn(
    difyFile(
      [
        difyStart(),
        difyNode('llm', {
          type: 'llm',
          model,
          prompt_template: [{ role: 'system', text: 'Files: {{#sys.files#}}.' }],
          memory: { window: { enabled: false }, query_prompt_template: '{{#sys.query#}}\n{{#sys.files#}}' },
          vision: { enabled: false },
        }),
        difyNode('reply', { type: 'answer', answer: '{{#llm.text#}} {{#sys.files#}}' }),
      ],
      ['start > llm', 'llm > reply'],
    ),
  );
  const headers = { 'x-session-id': 's' };
  const content = [
    { type: 'text', text: 'See' },
    { type: 'image_url', image_url: { url: PICTURE } },
  ];
  dify.provider.plays(says('one'), says('two'));
  const first = await complete(service, id, { messages: [{ role: 'user', content }] }, { headers });
  expect(contentOf(first)).toBe('one file');
  await complete(service, id, { messages: [{ role: 'user', content: 'And?' }] }, { headers });
  expect(JSON.stringify(dify.provider.requests)).not.toContain('iVBORw0K');
  expect(dify.provider.requests[0]?.body.messages).toEqual([
    { role: 'system', content: 'Files: .' },
    { role: 'user', content: 'See\n' },
  ]);
});

it('files in an answer are links in Markdown, and files of the message, each once', async () => {
  const workflow_id = await publishedWorkflow(
    service,
    graph(
      [node('start', 'start'), node('reply', 'answer', { text: 'See:\n{{sys.files}}', files: '{{sys.files}}' })],
      ['start > reply'],
    ),
  );
  const { id } = await createApplication(service, { type: 'workflow', config: { workflow_id } });
  const content = [
    { type: 'text', text: 'Which?' },
    { type: 'image_url', image_url: { url: 'https://files.example/a.png' } },
    { type: 'image_url', image_url: { url: 'https://files.example/b.pdf' } },
  ];
  const answer = await complete(service, id, { messages: [{ role: 'user', content }] });
  expect(contentOf(answer)).toBe('See:\n![a.png](https://files.example/a.png)\n[b.pdf](https://files.example/b.pdf)');
  const { files } = (answer.json as Completion).choices[0].message;
  expect(files.map(({ name, url }) => [name, url])).toEqual([
    ['a.png', 'https://files.example/a.png'],
    ['b.pdf', 'https://files.example/b.pdf'],
  ]);
});

interface Completion {
  readonly choices: readonly [
    { readonly message: { readonly files: readonly { readonly name: string; readonly url: string }[] } },
  ];
}
