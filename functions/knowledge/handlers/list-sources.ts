import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, clock, http } from '../../wiring/knowledge/bases.ts';
import { sources } from '../../wiring/knowledge/sources.ts';
import { sourcesOf } from '../domain/sources/manage-sources.ts';
import { toSourceResponse } from '../sources/responses.ts';
import { listSourcesRoute } from '../sources/routes.ts';

const ports = { bases: bases(), sources: sources() };

const endpoint = pipeline(listSourcesRoute, http, async ({ principal, params }) => {
  const found = await sourcesOf({ workspaceId: principal.workspaceId, baseId: params.id }, ports);
  return envelopeReply(200, { sources: found.map((source) => toSourceResponse(source, clock.now())) }, 'The sources.');
});

export const handler = bufferedHandler(endpoint);
