import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, clock, http } from '../bases/wiring.ts';
import { findSource } from '../domain/sources/manage-sources.ts';
import { toSourceResponse } from '../sources/responses.ts';
import { getSourceRoute } from '../sources/routes.ts';
import { sources } from '../sources/wiring.ts';

const ports = { bases: bases(), sources: sources() };

const endpoint = pipeline(getSourceRoute, http, async ({ principal, params }) => {
  const id = { workspaceId: principal.workspaceId, baseId: params.id, sourceId: params.source_id };
  return envelopeReply(200, toSourceResponse(await findSource(id, ports), clock.now()), 'The source.');
});

export const handler = bufferedHandler(endpoint);
