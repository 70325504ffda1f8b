import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHANNEL_TYPES } from '../../functions/channels/domain/channel.ts';
import { type PlatformServer, startPlatformServer } from '../../local/played-platforms/server.ts';
import { createChannel, deadLetters, eventually, type ShownChannel, sendMessage } from '../helpers/channels.ts';
import { useOwnService } from '../helpers/service.ts';

/** `npm run channel:send` and `npm run deliveries`, as a person at a terminal runs them. */

const service = useOwnService();
let platform: PlatformServer;
beforeAll(async () => {
  platform = await startPlatformServer();
});
afterAll(() => platform.stop());

function run(program: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, TRIPOD_DATA_DIR: service.dataDir };
    execFile(process.execPath, [`bin/${program}.ts`, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

/** Messages that the platform has refused for good. */
async function refusedMessages(count: number): Promise<ShownChannel> {
  const channel = await createChannel(service, 'custom', platform.baseUrl);
  platform.plays({ status: 400 });
  for (let n = 0; n < count; n++)
    await sendMessage(service, channel, { text: 'x', conversation: `c${n}` }, platform.baseUrl);
  await eventually(async () => (await deadLetters(service, `?channel_id=${channel.id}`)).length === count);
  platform.plays('ok');
  return channel;
}

it('channel:send plays every platform, and shows the reply', async () => {
  const played = await Promise.all(CHANNEL_TYPES.map((type) => run('channel-send', type, 'When are you open?')));
  for (const [index, type] of CHANNEL_TYPES.entries()) {
    expect(played[index]).toMatchObject({ code: 0, stderr: '' });
    expect(played[index]!.stdout).toContain(`${type} gets:\nI have no documents to answer from`);
  }
});

it('deliveries lists dead letters, and replays one, several, or those that fit a filter', async () => {
  const channel = await refusedMessages(5);
  const listed = await run('deliveries', '--channel', channel.id);
  expect(listed.stdout).toMatch(/^custom +1 +0 +0 +0 +0 {2}\S+: closed/m);
  expect(listed.stdout.match(/http_400 after 1 attempt /g)).toHaveLength(5);
  const [first, second, third] = await deadLetters(service, `?channel_id=${channel.id}`);
  expect(await run('deliveries', '--replay', first!.id)).toMatchObject({
    code: 0,
    stdout: `${first!.id} is back in its queue.\n`,
  });
  await run('deliveries', '--replay', second!.id, '--replay', third!.id);
  await eventually(() => platform.delivered.length === 3);
  const rest = await run('deliveries', '--replay', 'all', '--channel', channel.id, '--reason', 'http_400');
  expect(rest.stdout).toBe('2 replayed.\n');
  await eventually(() => platform.delivered.length === 5);
  expect((await run('deliveries', '--channel', channel.id)).stdout).toContain('No dead letters.');
});

it.each([
  ['deliveries', ['--replay', 'dl_00000000000000000000000000'], /Dead letter not found/],
  ['deliveries', ['--type', 'myspace'], /--type is one of slack, discord/],
  [
    'deliveries',
    ['--url', 'http://127.0.0.1:1', '--key', 'k'],
    /^http:\/\/127\.0\.0\.1:1 does not answer \(bad port\)/,
  ],
  ['deliveries', ['--url', 'http://127.0.0.1:1'], /^--url and --key belong together/],
  ['deliveries', ['--data-dir', 'test'], /^There is no local service in test: npm start makes it/],
  ['channel-send', ['myspace'], /^Name one of slack, discord/],
  ['channel-send', ['slack', '--application', '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b'], /application_id names no/],
] as const)('%s %j reports its fault', async (program, args, message) => {
  const { code, stderr } = await run(program, ...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
});
