/** `npm run events`: writes at least one SAM-style event for every endpoint into events/, and removes those of former endpoints. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { routes } from '../functions/routes.ts';
import { buildEvents, eventText } from '../local/events/build-events.ts';

const folder = new URL('../events/', import.meta.url);

const files = await buildEvents(routes);
const current = new Set(files.map(({ name }) => name));
for (const name of await readdir(folder)) {
  if (name.endsWith('.json') && !current.has(name)) await rm(new URL(name, folder));
}
for (const { name, event } of files) await writeFile(new URL(name, folder), eventText(event));
console.log(`${files.length} events written to events/`);
