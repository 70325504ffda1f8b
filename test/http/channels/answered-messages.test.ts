import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES } from '../../../functions/channels/domain/channel.ts';
import { PIXEL, type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { call } from '../../helpers/api.ts';
import { CHANNELS_PATH, createChannel, deadLetters, eventually, replay, sendMessage } from '../../helpers/channels.ts';
import { applicationOn, createApplication } from '../../helpers/chat.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
let platform: PlatformServer;
let provider: ScriptedProvider;
beforeAll(async () => {
  [platform, provider] = await Promise.all([startPlatformServer(), scriptedProvider()]);
});
afterAll(() => Promise.all([platform.stop(), provider.stop()]));

describe('an answer', () => {
  it.each(CHANNEL_TYPES)(
    'on %s may quote an image or a file of the message, which the application gets as a part',
    async (type) => {
      const application = await applicationOn(service, provider.baseUrl);
      const channel = await createChannel(service, type, platform.baseUrl, { application_id: application.id });
      provider.plays(says('Seen.'));
      platform.plays('ok');
      const file = { id: 'media-1', url: `${platform.baseUrl}/file/1.png`, mimeType: 'image/png', name: '1.png' };
      await sendMessage(service, channel, { text: 'Look', file }, platform.baseUrl);
      await eventually(() => platform.delivered.length > 0);
      const parts = await eventually(() =>
        provider.requests.map(({ body }) => JSON.stringify(body)).find((text) => text.includes('image_url')),
      );
      expect(parts).toContain(PIXEL.toString('base64'));
    },
  );

  it('of a workflow application is what its workflow says', async () => {
    const said = node('say', 'answer', { text: 'The workflow heard: {{sys.query}}' });
    const workflow = await publishedWorkflow(service, graph([node('start', 'start', {}), said], ['start > say']));
    const application = await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } });
    const channel = await createChannel(service, 'line', platform.baseUrl, { application_id: application.id });
    platform.plays('ok');
    await sendMessage(service, channel, { text: 'Good morning' }, platform.baseUrl);
    expect((await eventually(() => platform.delivered[0])).text).toBe('The workflow heard: Good morning');
  });

  it('is in the history of its sender, and too long for one message comes in parts, in their order', async () => {
    const application = await applicationOn(service, provider.baseUrl);
    const channel = await createChannel(service, 'telegram', platform.baseUrl, { application_id: application.id });
    const words = Array.from({ length: 1500 }, (_, i) => `word${i}`).join(' ');
    provider.plays(says(words), says('Second.'));
    platform.plays('ok');
    await sendMessage(service, channel, { text: 'First question' }, platform.baseUrl);
    // A late reply to an earlier message may be among them.
    await eventually(() =>
      platform.delivered
        .map(({ text }) => text)
        .join(' ')
        .includes(words),
    );
    expect(platform.delivered.every(({ text }) => text.length <= 4096)).toBe(true);
    await sendMessage(service, channel, { text: 'Second question' }, platform.baseUrl);
    await eventually(() => platform.delivered.at(-1)?.text === 'Second.');
    const roles = provider.requests.at(-1)!.body.messages.map(({ role, content }) => [role, content]);
    expect(roles).toEqual([
      ['user', 'First question'],
      ['assistant', words],
      ['user', 'Second question'],
    ]);
  });
});

describe('an answer that was recorded when its worker died', () => {
  it('is delivered as it was: the model is asked once, and the turn is there once', async () => {
    const application = await applicationOn(service, provider.baseUrl);
    const channel = await createChannel(service, 'line', platform.baseUrl, { application_id: application.id });
    provider.plays(says('First.'), says('Second.'));
    // Only now: its modules read the environment of the service.
    const { applicationAnswers } = await import('../../../functions/wiring/channels/channels.ts');
    const { answer } = await applicationAnswers();
    const { workspaceId } = service;
    const asked = { workspaceId, applicationId: application.id, channelId: channel.id, sessionId: 's|p' };
    const origin = { conversationId: 's', replyTo: {}, text: 'Question' };
    const answerTo = (key: string) =>
      answer({ ...asked, key, content: 'Question', origin }, AbortSignal.timeout(60_000));
    const [one, other] = ['msg_01M81XWSH8NPC1GHRFX52S8C9E', 'msg_01M81XWSH8NPC1GHRFX52S8C9F'];
    expect([await answerTo(one), await answerTo(one), await answerTo(other)]).toEqual(['First.', 'First.', 'Second.']);
    expect(provider.requests.at(-1)!.body.messages.map(({ content }) => content)).toEqual([
      'Question',
      'First.',
      'Question',
    ]);
  });
});

describe('a platform that', () => {
  it.each([
    ['asks to wait', { status: 429, retryAfter: 1 }],
    ['fails', { status: 500 }],
    ['breaks the connection', 'reset'],
  ] as const)('%s gets the reply once more', async (_, behaviour) => {
    const channel = await createChannel(service, 'whatsapp', platform.baseUrl);
    platform.plays(behaviour, 'ok');
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    await eventually(() => platform.delivered[0]);
    expect(platform.attempts).toHaveLength(2);
  });

  it('says ok: false with a fault of its own gets it once more; a fault of the channel makes it a dead letter', async () => {
    const channel = await createChannel(service, 'slack', platform.baseUrl);
    platform.plays('not ok', 'ok');
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    await eventually(() => platform.delivered[0]);
    platform.plays({ status: 200, body: { ok: false, error: 'channel_not_found' } });
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    const [letter] = await eventually(async () => {
      const found = await deadLetters(service, `?channel_id=${channel.id}`);
      return found.length > 0 && found;
    });
    expect(letter).toMatchObject({
      reason: 'channel_not_found',
      attempts: 1,
      direction: 'outbound',
      priority: 'normal',
    });
    platform.plays('ok');
    expect((await call(service, 'POST', `/api/v1/dead-letters/${letter!.id}/replay`)).status).toBe(202);
    expect((await eventually(() => platform.delivered[0])).text).toBe(letter!.text);
    expect(await deadLetters(service, `?channel_id=${channel.id}`)).toEqual([]);
  });

  it('redirects to a private address is not followed', async () => {
    const channel = await createChannel(service, 'custom', platform.baseUrl);
    platform.plays({ status: 302, location: 'http://169.254.169.254/latest/meta-data' });
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    const [letter] = await eventually(async () => {
      const found = await deadLetters(service, `?channel_id=${channel.id}&reason=http_302`);
      return found.length > 0 && found;
    });
    expect((await call(service, 'DELETE', `/api/v1/dead-letters/${letter!.id}`)).status).toBe(204);
    expect(await replay(service, { ids: [letter!.id] })).toEqual({ replayed: 0, skipped: 1, has_more: false });
  });

  it('wants no more disables its channel', async () => {
    const channel = await createChannel(service, 'custom', platform.baseUrl);
    platform.plays({ status: 410 });
    await sendMessage(service, channel, { text: 'x' }, platform.baseUrl);
    await eventually(async () => {
      const answer = await call(service, 'GET', `${CHANNELS_PATH}/${channel.id}`);
      return JSON.stringify(answer.json).includes('"disabled_reason":"http_410"');
    });
    expect((await sendMessage(service, channel, { text: 'x' }, platform.baseUrl)).status).toBe(404);
  });
});
