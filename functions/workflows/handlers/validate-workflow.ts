import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { staff } from '../../wiring/workflows/staff.ts';
import { http, templateChecks, workflows } from '../../wiring/workflows/workflows.ts';
import { errorsAmong } from '../domain/graph/graph-issue.ts';
import { allIssues, findWorkflow } from '../domain/manage-workflows.ts';
import { withStoredSecrets } from '../domain/seal-environment.ts';
import { toGraph } from '../graph-wire.ts';
import { toIssueResponse } from '../responses.ts';
import { validateWorkflowRoute } from '../routes.ts';

const ports = { workflows: workflows() };

const endpoint = pipeline(validateWorkflowRoute, http, async ({ principal, params, body, signal, language }) => {
  const found = await findWorkflow({ workspaceId: principal.workspaceId, workflowId: params.id }, ports);
  const graph = body.graph ? withStoredSecrets(toGraph(body.graph), found.draft) : found.draft;
  const issues = await allIssues(graph, found, { templates: templateChecks, staff, signal });
  const valid = errorsAmong(issues).length === 0;
  return envelopeReply(
    200,
    { valid, issues: issues.map((issue) => toIssueResponse(issue, language)) },
    valid ? 'The graph can be run.' : 'The graph cannot be run.',
  );
});

export const handler = bufferedHandler(endpoint);
