import { setTimeout } from 'node:timers/promises';
import { CannotStart } from './cannot-start.ts';

/** On a busy machine the first check of a dependency may come too late. */
const TRIES = 10;
const PAUSE_MS = 500;

/** Ready means that the service says so itself. @throws CannotStart */
export async function requireHealth(url: string, pauseMs = PAUSE_MS): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/api/v1/health`);
    const body = await response.text();
    if (response.status === 200) return;
    if (attempt === TRIES)
      throw new CannotStart(`The service started, but it is not healthy (${response.status}): ${body}`);
    await setTimeout(pauseMs);
  }
}
