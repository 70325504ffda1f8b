import { vi } from 'vitest';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';

/** The names of the commands that the service's handlers send to DynamoDB while `run` runs, in the order of their sending. */
export async function sentCommands(run: () => Promise<unknown>): Promise<string[]> {
  const client = dynamoClient();
  const sent: string[] = [];
  const original = client.send.bind(client) as (command: object) => unknown;
  const spy = vi.spyOn(client, 'send').mockImplementation(((command: object) => {
    sent.push(command.constructor.name.replace(/Command$/, ''));
    return original(command);
  }) as never);
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return sent;
}
