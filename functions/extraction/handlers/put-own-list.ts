import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { putOwnListRoute } from '../drug-master-routes.ts';
import { clock, http, ownListRows, ownLists } from '../wiring.ts';

const lists = ownLists();

const endpoint = pipeline(putOwnListRoute, http, async ({ principal, body }) => {
  const updatedAt = new Date(clock.now()).toISOString();
  const { ownMaster } = await import('../domain/master/own-list.ts');
  const data = ownMaster(await ownListRows(body.file), updatedAt);
  await lists.put(principal.workspaceId, data);
  return { status: 200, body: { rows: data.drugs.length, updatedAt } };
});

export const handler = bufferedHandler(endpoint);
