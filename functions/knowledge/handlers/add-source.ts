import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/knowledge/bases.ts';
import { sourcePorts } from '../../wiring/knowledge/sources.ts';
import { addSource } from '../domain/sources/manage-sources.ts';
import { toSourceDraft, toSourceResponse } from '../sources/responses.ts';
import { addSourceRoute } from '../sources/routes.ts';

const ports = sourcePorts();

const endpoint = pipeline(addSourceRoute, http, async ({ principal, params, body }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  const { source, isNew } = await addSource(base, toSourceDraft(body), ports);
  const shown = toSourceResponse(source, ports.clock.now());
  if (!isNew) return envelopeReply(200, shown, 'The source has its new settings, and will be read again.');
  return {
    ...envelopeReply(201, shown, 'The source is added, and will be read.'),
    headers: { location: `/api/v1/knowledge-bases/${base.baseId}/sources/${source.sourceId}` },
  };
});

export const handler = bufferedHandler(endpoint);
