/** `npm run invoke -- <route id> [events/x.json]`: runs one handler on a SAM-style event and prints its answer. */
import { readFile } from 'node:fs/promises';
import { CannotStart } from '../local/cannot-start.ts';
import { InvocationError, invoke, openEnvironment, parseEvent, routeById } from '../local/invoke.ts';
import { InvalidSetting, readSettings } from '../local/settings.ts';

const USAGE = 'Usage: npm run invoke -- <route id> [events/x.json]';

try {
  const [id, file = `events/${id}.json`, ...rest] = process.argv.slice(2);
  if (id === undefined || rest.length > 0) throw new InvocationError(USAGE);
  const route = routeById(id);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new InvocationError(`The event ${file} cannot be read`);
  });
  const { apiKey, close } = await openEnvironment(readSettings(process.env));
  try {
    const { status, text: answer } = await invoke(route, parseEvent(text, apiKey));
    console.log(`${status}\n${answer}`);
    process.exitCode = status < 500 ? 0 : 1;
  } finally {
    await close();
  }
} catch (error) {
  const expected = error instanceof InvocationError || error instanceof InvalidSetting || error instanceof CannotStart;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
}
