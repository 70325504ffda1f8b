/** Plays a messaging platform against the local service: see USAGE. */
import { parseArgs } from 'node:util';
import { CHANNEL_TYPES, type ChannelType, isChannelType } from '../functions/channels/domain/channel.ts';
import { type Credentials, readCredentials } from '../local/credentials.ts';
import { startPlatformServer } from '../local/played-platforms/server.ts';
import { playedPlatforms } from '../local/played-platforms/webhooks.ts';
import { fetchFrom, runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run channel:send -- <type> [text] [--application <id>] [--data-dir .local]

  <type>         ${CHANNEL_TYPES.join(', ')}
  --application  the application that answers (default: a new one, which quotes documents)
  --data-dir     data directory of the running local service (default: TRIPOD_DATA_DIR, else .local)

Plays the platform on this machine: connects a channel to it, signs a message as the platform does, posts it, and prints the
reply that arrives. The channel is removed at the end.`;

/** Longer than the retries of a message take. */
const WAIT_MS = 90_000;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { type, text, application, dataDirectory } = readArguments();
  const credentials = await readCredentials(dataDirectory);
  if (credentials === undefined) throw new Error(`There is no local service in ${dataDirectory}: npm start makes it.`);
  const reply = Promise.withResolvers<string>();
  const platform = await startPlatformServer((arrived) => reply.resolve(arrived.text));
  const timer = setTimeout(() => reply.reject(new Error('No reply has arrived: see npm run deliveries.')), WAIT_MS);
  try {
    const { secrets, settings } = playedPlatforms[type];
    const applicationId = application ?? (await newApplication(credentials));
    const { id, webhook_url } = await call(credentials, 'POST', '/api/v1/channels', {
      ...{ name: `Played ${type}`, type, application_id: applicationId, secrets },
      settings: settings(platform.baseUrl),
    });
    try {
      const webhook = await playedPlatforms[type].webhook({ text }, { baseUrl: platform.baseUrl, nowMs: Date.now() });
      const response = await fetchFrom(webhook_url!, { method: 'POST', headers: webhook.headers, body: webhook.body });
      console.log(`POST ${webhook_url}\n${response.status} ${await response.text()}`);
      if (!response.ok) throw new Error('The webhook was refused.');
      console.log(`\n${type} gets:\n${await reply.promise}`);
    } finally {
      await call(credentials, 'DELETE', `/api/v1/channels/${id}`);
      if (application === undefined) await call(credentials, 'DELETE', `/api/v1/applications/${applicationId}`);
    }
  } finally {
    clearTimeout(timer);
    await platform.stop();
  }
}

function readArguments() {
  const { values, positionals } = parsed();
  const [type = '', ...words] = positionals;
  if (!isChannelType(type)) throw new UsageError(`Name one of ${CHANNEL_TYPES.join(', ')}.`);
  const text = words.join(' ') || 'Hello from a played platform.';
  return { type: type satisfies ChannelType, text, application: values.application, dataDirectory: values['data-dir'] };
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        application: { type: 'string' },
        'data-dir': { type: 'string', default: process.env.TRIPOD_DATA_DIR || '.local' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function newApplication(credentials: Credentials): Promise<string> {
  const name = `Played platform ${new Date().toISOString()}`;
  return (await call(credentials, 'POST', '/api/v1/applications', { name, type: 'channel' })).id!;
}

async function call(
  { baseUrl, apiKey }: Credentials,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly id?: string; readonly webhook_url?: string }> {
  const response = await fetchFrom(baseUrl + path, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = (text === '' ? { data: {} } : JSON.parse(text)) as { data: { id?: string }; message?: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer.data;
}
