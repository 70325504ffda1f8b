import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { completePorts } from '../complete-wiring.ts';
import { completePreviewRoute } from '../completions/routes.ts';
import { completionSteps } from '../completions/steps.ts';
import { findPreviewed } from '../domain/find-previewed.ts';
import { http } from '../wiring.ts';

const ports = completePorts();
const { load, run } = completionSteps(ports);

const previewPorts = {
  applications: ports.applications,
  async findWorkflow(workspaceId: string, workflowId: string) {
    const { workflows } = await import('../../workflows/wiring.ts');
    return workflows().find({ workspaceId, workflowId });
  },
};

const endpoint = pipeline(
  completePreviewRoute,
  {
    ...http,
    load: (request) =>
      load(request, { workspaceId: request.principal.workspaceId, applicationId: request.body.model }, (id) =>
        findPreviewed(id, previewPorts),
      ),
  },
  run,
);

export const handler = eventStreamHandler(endpoint);
