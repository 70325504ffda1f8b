/** Shows what channels have in their queues, and replays dead letters: see USAGE. */
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { CHANNEL_TYPES, isChannelType } from '../functions/channels/domain/channel.ts';
import { deadLetterPage, replayResult, webhookStatus } from '../functions/channels/schemas.ts';
import { readCredentials } from '../local/credentials.ts';
import { fetchFrom, runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run deliveries -- [options]

  --replay all          puts every dead letter that fits back into its queue
  --replay dl_...       puts this one back; several times for several
  --channel chn_...     dead letters of this channel only
  --type slack          of this platform only: ${CHANNEL_TYPES.join(', ')}
  --reason circuit_open given up for this reason only
  --url, --key          a deployed service and an API key of it; default: the local service, whose data directory is
  --data-dir .local     (default: TRIPOD_DATA_DIR, else .local)

Without --replay it lists the depth of the queues, the circuit breakers and the newest dead letters.`;

await runCommand(USAGE, run);

interface Target {
  readonly url: string;
  readonly key: string;
}

async function run(): Promise<void> {
  const { values } = parsed();
  if (values.type !== undefined && !isChannelType(values.type))
    throw new UsageError(`--type is one of ${CHANNEL_TYPES.join(', ')}.`);
  const target = await targetOf(values);
  const filter = {
    ...(values.channel !== undefined && { channel_id: values.channel }),
    ...(values.type !== undefined && { type: values.type }),
    ...(values.reason !== undefined && { reason: values.reason }),
  };
  const { replay = [] } = values;
  if (replay.length === 0) return show(target, filter);
  if (!replay.includes('all')) return replayNamed(target, replay);
  if (replay.length > 1) throw new UsageError('--replay all goes without others.');
  return replayAll(target, filter);
}

async function replayNamed(target: Target, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await call(target, 'POST', `/api/v1/dead-letters/${encodeURIComponent(id)}/replay`, z.unknown());
    console.log(`${id} is back in its queue.`);
  }
}

async function replayAll(target: Target, filter: Readonly<Record<string, string>>): Promise<void> {
  const totals = { replayed: 0, skipped: 0 };
  for (let hasMore = true; hasMore; ) {
    const done = await call(target, 'POST', '/api/v1/dead-letters/replay', replayResult, { filter });
    totals.replayed += done.replayed;
    totals.skipped += done.skipped;
    hasMore = done.has_more && done.replayed > 0;
  }
  console.log(`${totals.replayed} replayed.`);
  if (totals.skipped > 0)
    console.log(
      `${totals.skipped} skipped: their channel is removed or disabled, or too many messages wait in their conversation.`,
    );
}

function parsed() {
  try {
    return parseArgs({
      options: {
        replay: { type: 'string', multiple: true },
        channel: { type: 'string' },
        type: { type: 'string' },
        reason: { type: 'string' },
        url: { type: 'string' },
        key: { type: 'string' },
        'data-dir': { type: 'string', default: process.env.TRIPOD_DATA_DIR || '.local' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function targetOf(values: ReturnType<typeof parsed>['values']): Promise<Target> {
  const { url, key } = values;
  if ((url === undefined) !== (key === undefined)) throw new UsageError('--url and --key belong together.');
  if (url !== undefined && key !== undefined) return { url: url.replace(/\/+$/, ''), key };
  const credentials = await readCredentials(values['data-dir']);
  if (credentials === undefined)
    throw new Error(`There is no local service in ${values['data-dir']}: npm start makes it.`);
  return { url: credentials.baseUrl, key: credentials.apiKey };
}

async function show(target: Target, filter: Readonly<Record<string, string>>): Promise<void> {
  const { platforms } = await call(target, 'GET', '/api/v1/webhooks/status', webhookStatus);
  console.log('platform   channels  inbound     high   normal      low  circuits');
  for (const { type, channels, queue_depth: depth, circuits } of platforms) {
    const counts = [channels, depth.inbound, depth.high, depth.normal, depth.low];
    const states = circuits.map(({ address, state, opened_at, last_error }) => {
      const since = state === 'closed' || opened_at === null ? '' : ` since ${opened_at}`;
      return `${address ?? 'its API'}: ${state}${since}${last_error ? ` (last error ${last_error.code})` : ''}`;
    });
    console.log(`${type.padEnd(10)}${counts.map((count) => String(count).padStart(9)).join('')}  ${states.join(', ')}`);
  }
  const query = new URLSearchParams({ limit: '20', ...filter });
  const page = await call(target, 'GET', `/api/v1/dead-letters?${query}`, deadLetterPage);
  console.log(page.dead_letters.length === 0 ? '\nNo dead letters.' : '\nDead letters, newest first:');
  for (const { id, died_at, type, direction, reason, attempts, text } of page.dead_letters)
    console.log(
      `${id}  ${died_at}  ${type} ${direction}  ${reason} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}  ${JSON.stringify(text.slice(0, 60))}`,
    );
  if (page.next_cursor !== null) console.log('... and more.');
}

async function call<Schema extends z.ZodType>(
  { url, key }: Target,
  method: string,
  path: string,
  schema: Schema,
  body?: object,
): Promise<z.output<Schema>> {
  const response = await fetchFrom(url + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: unknown; message: string };
  if (!response.ok) throw new Error(`${response.status}: ${answer.message}`);
  return schema.parse(answer.data);
}
