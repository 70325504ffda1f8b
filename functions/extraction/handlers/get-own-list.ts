import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, ownLists } from '../../wiring/extraction/extraction.ts';
import { getOwnListRoute } from '../drug-master-routes.ts';
import { noOwnList } from '../http-errors.ts';

const lists = ownLists();

const endpoint = pipeline(getOwnListRoute, http, async ({ principal }) => {
  const found = await lists.describe(principal.workspaceId);
  if (found === null) throw noOwnList();
  return { status: 200, body: found };
});

export const handler = bufferedHandler(endpoint);
