import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/chat/chat.ts';
import { completePorts, previewPorts } from '../../wiring/chat/complete.ts';
import { onlyReads } from '../completions/request.ts';
import { completePreviewRoute } from '../completions/routes.ts';
import { completionSteps } from '../completions/steps.ts';
import { findPreviewed } from '../domain/find-previewed.ts';

const { load, run } = completionSteps(completePorts());
const previewed = previewPorts();

const loadPreviewed = (request: Parameters<typeof load>[0] & { readonly body: { readonly model: string } }) =>
  load(request, { workspaceId: request.principal.workspaceId, applicationId: request.body.model }, (id) =>
    findPreviewed(id, previewed),
  );

const endpoint = pipeline(
  completePreviewRoute,
  {
    ...http,
    load: loadPreviewed,
    loadAhead: (principal, { headers, body }) =>
      onlyReads(headers) ? loadPreviewed({ principal, headers, body }) : null,
  },
  run,
);

export const handler = eventStreamHandler(endpoint);
