import { expect, it } from 'vitest';
import { maskingSecrets } from '../../../functions/workflows/domain/effects/mask-secrets.ts';
import { secretMark, withoutMarks } from '../../../functions/workflows/domain/engine/secret-marks.ts';
import { type NodeCall, type NodeEffects, NodeFailed } from '../../../functions/workflows/domain/run/node-effects.ts';
import { node } from '../../helpers/workflows/graphs.ts';

const SECRET = 'p@ss "word" 한글';
const mark = secretMark('KEY');

/** Performs a node whose configuration has a mark. */
async function performed(perform: NodeEffects['perform'], config: object = { key: mark }) {
  const shown: unknown[] = [];
  const trigger = { kind: 'api', caller: { kind: 'key', id: 'k' }, applicationId: null, sessionId: null } as const;
  const call: NodeCall = {
    run: { workspaceId: 'ws', runId: 'run', workflowId: 'wf', trigger },
    ...{ node: node('n', 'code'), key: 'n', attempt: 1, config: config as never, inputs: { list: [{ deep: mark }] } },
    context: { sys: {}, history: [] },
    environment: [
      { name: 'KEY', type: 'secret', sealed: 'sealed' },
      { name: 'UNSET', type: 'secret', sealed: null },
    ],
  };
  const effects = maskingSecrets({ perform }, { open: async () => SECRET });
  const surroundings = {
    signal: new AbortController().signal,
    deadlineMs: 0,
    text: (text: string) => void shown.push(text),
    progress: (_: string, payload: object) => void shown.push(payload),
  };
  return { result: await effects.perform(call, surroundings), shown };
}

it('a node is given the secret, and what it gives out is marked, however it is written', async () => {
  const { result, shown } = await performed(async ({ config, inputs }, { progress }) => {
    expect([config, inputs]).toEqual([{ key: SECRET }, { list: [{ deep: SECRET }] }]);
    progress('agent_thought', { step: 1, thought: `I know ${SECRET}` });
    const forms = [
      SECRET,
      JSON.stringify({ SECRET }),
      encodeURIComponent(SECRET),
      Buffer.from(SECRET).toString('base64'),
    ];
    return { outputs: { forms, [SECRET]: 1 } };
  });
  expect(result.outputs).toEqual({ forms: [mark, `{"SECRET":"${mark}"}`, mark, mark], [mark]: 1 });
  expect(shown).toEqual([{ step: 1, thought: `I know ${mark}` }]);
});

it('a secret that a stream breaks in pieces is marked as a whole', async () => {
  const { shown } = await performed(async (_, { text }) => {
    for (const piece of ['The key is p', '@ss "wo', 'rd" 한', '글, and p', ' is none']) text(piece);
    return { outputs: {} };
  });
  expect(shown.join('')).toBe(`The key is ${mark}, and p is none`);
  expect(shown.some((piece) => String(piece).includes('@ss'))).toBe(false);
});

it('the failure of a node names no secret', async () => {
  const failing = performed(async () => {
    throw new NodeFailed('code_failed', `Traceback: login(${SECRET})`, { isPassing: true });
  });
  await expect(failing).rejects.toMatchObject({ failure: { message: `Traceback: login(${mark})` }, isPassing: true });
});

it('an internal error, which is logged, names no secret, and keeps its name', async () => {
  const failing = performed(async () => {
    throw new TypeError(`Invalid URL: https://example.com/${SECRET}`);
  });
  const error = await failing.catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ name: 'TypeError', message: `Invalid URL: https://example.com/${mark}` });
  expect(String((error as Error).stack)).not.toContain(SECRET);
});

it('a secret is found in base64 at any place of the encoded text', async () => {
  const encoded = ['', 'm', 'me', 'me:'].map((before) => Buffer.from(`${before}${SECRET}!`).toString('base64'));
  const { result } = await performed(async () => ({ outputs: { encoded } }));
  for (const [index, each] of (result.outputs.encoded as string[]).entries())
    expect([index, each.includes(mark)]).toEqual([index, true]);
});

it('a text from outside that looks like a mark is not one', async () => {
  const forged = withoutMarks({ note: mark }) as { note: string };
  const { result } = await performed(async ({ config }) => ({ outputs: { seen: config.note ?? null } }), forged);
  expect(result.outputs).toEqual({ seen: '[secret:KEY]' });
});
