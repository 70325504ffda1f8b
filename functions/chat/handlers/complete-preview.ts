import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/chat/chat.ts';
import { completePorts } from '../../wiring/chat/complete.ts';
import { onlyReads } from '../completions/request.ts';
import { completePreviewRoute } from '../completions/routes.ts';
import { completionSteps } from '../completions/steps.ts';
import { findPreviewed } from '../domain/find-previewed.ts';

const ports = completePorts();
const { load, run } = completionSteps(ports);

const previewPorts = {
  applications: ports.applications,
  async findWorkflow(workspaceId: string, workflowId: string) {
    const { workflows } = await import('../../wiring/workflows/workflows.ts');
    return workflows().find({ workspaceId, workflowId });
  },
};

const loadPreviewed = (request: Parameters<typeof load>[0] & { readonly body: { readonly model: string } }) =>
  load(request, { workspaceId: request.principal.workspaceId, applicationId: request.body.model }, (id) =>
    findPreviewed(id, previewPorts),
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
