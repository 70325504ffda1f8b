import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, http, ownList, ownLists } from '../../wiring/extraction/extraction.ts';
import { putOwnListRoute } from '../drug-master-routes.ts';

const lists = ownLists();

const endpoint = pipeline(putOwnListRoute, http, async ({ principal: { workspaceId }, body, signal }) => {
  const updatedAt = new Date(clock.now()).toISOString();
  const list = await ownList(body.file, updatedAt, { tenant: workspaceId, signal });
  await lists.put(workspaceId, list);
  return { status: 200, body: { rows: list.rows, updatedAt } };
});

export const handler = bufferedHandler(endpoint);
