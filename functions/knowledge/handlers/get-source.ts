import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, clock, http } from '../../wiring/knowledge/bases.ts';
import { sources } from '../../wiring/knowledge/sources.ts';
import { findSource } from '../domain/sources/manage-sources.ts';
import { toSourceResponse } from '../sources/responses.ts';
import { getSourceRoute } from '../sources/routes.ts';

const ports = { bases: bases(), sources: sources() };

const endpoint = pipeline(getSourceRoute, http, async ({ principal, params }) => {
  const id = { workspaceId: principal.workspaceId, baseId: params.id, sourceId: params.source_id };
  return envelopeReply(200, toSourceResponse(await findSource(id, ports), clock.now()), 'The source.');
});

export const handler = bufferedHandler(endpoint);
