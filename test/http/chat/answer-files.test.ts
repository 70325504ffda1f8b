import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import { describe, expect, it } from 'vitest';
import { fileMembers } from '../../../functions/chat/completions/schemas.ts';
import { call } from '../../helpers/api.ts';
import { applicationPath, complete, completionOf, createApplication, createToken, stream } from '../../helpers/chat.ts';
import { sandboxService } from '../../helpers/sandbox.ts';
import { callsTool, says } from '../../helpers/scripted-provider.ts';
import { publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node as graphNode } from '../../helpers/workflows/graphs.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

/** Pictures and other files that programs write on the way to an answer. */
const service = sandboxService();

const { provider, application } = useScriptedApplication(service, { tools: [{ type: 'code_interpreter' }] });

const CODE = 'open("out/chart.png", "wb").write(b"picture"); open("out/한글.csv", "w").write("a,b")';
const PICTURE = expect.stringMatching(/^http/);
const MEMBERS = {
  images: [{ type: 'image_url', image_url: { url: PICTURE } }],
  files: [
    { name: 'chart.png', media_type: 'image/png', size: 7, url: PICTURE },
    { name: '한글.csv', media_type: 'text/csv', size: 3, url: PICTURE },
  ],
};
const draws = () =>
  provider.plays(callsTool('code_interpreter', JSON.stringify({ code: CODE })), says('Here is ', 'the chart.'));
const messages = [{ role: 'user' as const, content: 'Draw it' }];
const sent = { model: 'any', messages };
const baseURL = () => `${service.baseUrl}/api/v1/chat/${application.id}`;
const textOfPicture = async ({ images }: { images?: unknown }) =>
  (await fetch(fileMembers.images.parse(images)![0]!.image_url.url)).text();

describe('pictures and files of the code interpreter', () => {
  it('are content parts of a whole answer, whose text is the model’s', async () => {
    draws();
    const { message } = completionOf(await complete(service, application.id, { messages })).choices[0]!;
    expect(message).toMatchObject({ content: 'Here is the chart.', ...MEMBERS });
    expect(await textOfPicture(message)).toBe('picture');
  });

  it('come in a stream as soon as they are there', async () => {
    draws();
    const { chunks, text } = await stream(
      service,
      application.id,
      { messages },
      { headers: { 'x-stream-events': 'named' } },
    );
    const deltas = chunks.flatMap(({ choices, event }) => (event ? [] : choices.map(({ delta }) => delta)));
    const place = deltas.findIndex(({ files }) => files !== undefined);
    expect(deltas[place]).toEqual(MEMBERS);
    expect([text, place < deltas.findIndex(({ content }) => content === 'Here is ')]).toEqual([
      'Here is the chart.',
      true,
    ]);
    const finished = chunks.find(({ event }) => event?.type === 'tool_call_finished');
    expect(finished?.event).toMatchObject({ files: MEMBERS.files });
  });

  it.each([
    ['openai 7', () => new OpenAI({ baseURL: baseURL(), apiKey: service.apiKey })],
    ['openai 4', () => new OpenAI4({ baseURL: baseURL(), apiKey: service.apiKey }) as unknown as OpenAI],
  ])('leave the answer as %s reads it, whole and streamed', async (_, client) => {
    draws();
    const { choices } = await client().chat.completions.create(sent);
    expect(choices[0]!.message.content).toBe('Here is the chart.');
    draws();
    let text = '';
    for await (const chunk of await client().chat.completions.create({ ...sent, stream: true }))
      text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Here is the chart.');
  });

  it('are members of a response too, when it is made and when it is looked up', async () => {
    draws();
    const client = new OpenAI({ baseURL: baseURL(), apiKey: service.apiKey });
    const made = await client.responses.create({ model: 'any', input: 'Draw it' });
    expect(made).toMatchObject({ output_text: 'Here is the chart.', ...MEMBERS });
    expect(await client.responses.retrieve(made.id)).toMatchObject(MEMBERS);
  });

  it('are repeated with their answer, and listed with its message, unless the workspace keeps no pictures', async () => {
    const keyed = (key: string, session: string) => ({ headers: { 'idempotency-key': key, 'x-session-id': session } });
    const listed = async () => {
      const path = `${applicationPath(application.id)}/conversations`;
      const { data } = (await call(service, 'GET', path)).json as { data: { conversations: { id: string }[] } };
      const page = await call(service, 'GET', `${path}/${data.conversations[0]!.id}/messages`);
      return (page.json as { data: { messages: object[] } }).data.messages.at(-1);
    };
    draws();
    const first = completionOf(await complete(service, application.id, { messages }, keyed('k', 'kept')));
    const again = completionOf(await complete(service, application.id, { messages }, keyed('k', 'kept')));
    expect(again.choices).toEqual(first.choices);
    expect(await listed()).toMatchObject({ content: 'Here is the chart.', ...MEMBERS });
    await call(service, 'PATCH', '/api/v1/workspace', { body: { keep_no_images: true } });
    draws();
    await complete(service, application.id, { messages }, keyed('l', 'not kept'));
    expect(await listed()).not.toHaveProperty('files');
  });

  it('reach a visitor with a public token, without the program', async () => {
    const { token } = await createToken(service, application.id);
    draws();
    const answer = await stream(
      service,
      token,
      { messages },
      { key: null, headers: { 'x-session-id': 'new', 'x-stream-events': 'data' } },
    );
    expect(JSON.stringify(answer.chunks)).not.toContain('.write');
    expect(answer.chunks.some(({ choices }) => choices[0]?.delta.images?.length === 1)).toBe(true);
  });
});

describe('files of a workflow', () => {
  const start = graphNode('start', 'start');

  it('are content parts of the answer of its application, where an answer node has them', async () => {
    const code = graphNode('draw', 'code', {
      language: 'python',
      code: `${CODE}\nprint("{}")`,
      outputs: { files: 'list' },
    } as never);
    const answer = graphNode('say', 'answer', { text: 'Here it is.', files: '{{draw.files}}' } as never);
    const workflow = await publishedWorkflow(service, graph([start, code, answer], ['start > draw', 'draw > say']));
    const { id } = await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } });
    const { message } = completionOf(await complete(service, id, { messages })).choices[0]!;
    expect(message).toMatchObject({ content: 'Here it is.', ...MEMBERS });
    expect(await textOfPicture(message)).toBe('picture');
  });

  it.each([
    ['an agent', 'agent', { prompt: 'Draw it', tools: ['code_interpreter'] }],
    ['a tool', 'tool', { tool: 'code_interpreter', arguments: { code: CODE } }],
  ] as const)('are an output of %s, in the form of files', async (_, type, config) => {
    if (type === 'agent') draws();
    const one = graphNode('one', type, { application_id: application.id, ...config } as never);
    const id = await publishedWorkflow(service, graph([start, one], ['start > one']));
    const run = (await runWorkflow(service, id)).json.data;
    const { outputs } = run.nodes.find((each) => each.execution_key === 'one')!;
    expect(outputs).toMatchObject({
      files: [
        { kind: 'file', type: 'image', name: 'chart.png', mime_type: 'image/png', size: 7, url: PICTURE },
        { kind: 'file', name: '한글.csv', mime_type: 'text/csv', size: 3 },
      ],
    });
  });
});
