import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, triggers, workflows } from '../../wiring/workflows/workflows.ts';
import { removeWorkflow } from '../domain/manage-workflows.ts';
import { removeWorkflowRoute } from '../routes.ts';

const ports = { workflows: workflows(), triggers: triggers() };

const endpoint = pipeline(removeWorkflowRoute, http, async ({ principal, params }) => {
  await removeWorkflow({ workspaceId: principal.workspaceId, workflowId: params.id }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
