import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/mcp/tools.ts';
import { onlyPost } from '../message-checks.ts';
import { getStreamRoute } from '../routes.ts';

export const handler = bufferedHandler(
  pipeline(getStreamRoute, http, async () => {
    throw onlyPost();
  }),
);
