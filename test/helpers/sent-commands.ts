import { vi } from 'vitest';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { routes } from '../../functions/routes.ts';
import { runningFunction } from './rights/guard.ts';

const served: ReadonlySet<string | undefined> = new Set(routes.map(({ id }) => id));

/**
 * The names of the commands that the handlers of routes send to DynamoDB while `run` runs, in the order of their sending. What
 * the service does by the clock meanwhile does not count.
 */
export async function sentCommands(run: () => Promise<unknown>): Promise<string[]> {
  const client = dynamoClient();
  const sent: string[] = [];
  const original = client.send.bind(client) as (command: object) => unknown;
  const spy = vi.spyOn(client, 'send').mockImplementation(((command: object) => {
    if (served.has(runningFunction())) sent.push(command.constructor.name.replace(/Command$/, ''));
    return original(command);
  }) as never);
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return sent;
}
