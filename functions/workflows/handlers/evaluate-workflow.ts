import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { evaluatePorts, http, workflows } from '../../wiring/workflows/workflows.ts';
import { evaluateWorkflow } from '../domain/evaluate/evaluate-workflow.ts';
import { graphToRun } from '../domain/run/graph-to-run.ts';
import { evaluateWorkflowRoute } from '../evaluate-routes.ts';
import { toReportResponse, toTestCases } from '../evaluate-wire.ts';

const ports = evaluatePorts();
const stored = { workflows: workflows() };

const endpoint = pipeline(evaluateWorkflowRoute, http, async ({ principal, params, body, signal, deadlineMs }) => {
  const { workspaceId, kind, id } = principal;
  const cases = toTestCases(body.cases, ports.schemas);
  const workflowId = { workspaceId, workflowId: params.id };
  const chosen = await graphToRun(workflowId, body.version, stored);
  const { application_id: applicationId = null } = body;
  const evaluation = { ...workflowId, ...chosen, cases, applicationId, caller: { kind, id } };
  const report = await evaluateWorkflow(evaluation, { deadlineMs, client: signal }, ports);
  return envelopeReply(200, toReportResponse(report), 'The workflow is evaluated.');
});

export const handler = bufferedHandler(endpoint);
