import { describe, expect, it } from 'vitest';
import { complete, completionOf, createApplication } from '../../helpers/chat.ts';
import { execute, javascript, sandboxService } from '../../helpers/sandbox.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = sandboxService();

/** Reads the API key. Application and counting of usage follow. */
const CALLER = ['Get'];

/** The calls of the second request: the first one also records that its key was used. */
async function callsOf(request: () => Promise<unknown>): Promise<string[]> {
  await request();
  return (await sentCommands(request)).toSorted();
}

describe('a deployment without prices', () => {
  it('makes no more store calls for an answer, also with an empty balance, than before there were prices', async () => {
    const { apiKey, workspaceId } = await createWorkspace({ balanceKrw: 0 });
    const poor = { baseUrl: service.baseUrl, apiKey, workspaceId };
    const { id } = await createApplication(poor);
    expect(await callsOf(async () => completionOf(await complete(poor, id, {})))).toEqual([
      ...CALLER,
      'Get',
      'TransactWrite',
    ]);
  });

  it('makes no more store calls for a program', async () => {
    const { apiKey, workspaceId } = await createWorkspace({ balanceKrw: 0 });
    const poor = { baseUrl: service.baseUrl, apiKey, workspaceId };
    const program = javascript('console.log(1)');
    expect(await callsOf(() => execute(poor, program))).toEqual([...CALLER, 'TransactWrite']);
    expect(await callsOf(() => execute(poor, { ...program, session_id: 's1' }))).toEqual([
      ...CALLER,
      'TransactWrite',
      'TransactWrite',
    ]);
  });
});
