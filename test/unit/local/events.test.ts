import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { routes } from '../../../functions/routes.ts';
import { buildEvents, eventText } from '../../../local/events/build-events.ts';

const folder = new URL('../../../events/', import.meta.url);

it('has the events of this very route table; `npm run events` writes them', async () => {
  const files = await buildEvents(routes);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  expect(names.sort()).toEqual(files.map(({ name }) => name).sort());
  const outdated: string[] = [];
  for (const { name, event } of files) {
    // Compared here and not by the matcher, which would print pictures.
    if ((await readFile(new URL(name, folder), 'utf8')) !== eventText(event)) outdated.push(name);
  }
  expect(outdated).toEqual([]);
});

it('has one event or more for every endpoint', async () => {
  const resources = new Set((await buildEvents(routes)).map(({ event }) => `${event.httpMethod} ${event.resource}`));
  expect(resources).toEqual(new Set(routes.map(({ method, path }) => `${method} ${path}`)));
});

it('holds no key, only the place for one', async () => {
  for (const { event } of await buildEvents(routes)) {
    for (const [name, value] of Object.entries(event.headers)) {
      if (/key|authorization/i.test(name)) expect(value).toBe('{{apiKey}}');
    }
  }
});
