import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, ownLists } from '../../wiring/extraction/extraction.ts';
import { removeOwnListRoute } from '../drug-master-routes.ts';

const lists = ownLists();

const endpoint = pipeline(removeOwnListRoute, http, async ({ principal }) => {
  await lists.remove(principal.workspaceId);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
