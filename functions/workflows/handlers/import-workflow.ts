import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { staff } from '../../wiring/workflows/staff.ts';
import { http, managePorts, parseYaml, triggerPorts } from '../../wiring/workflows/workflows.ts';
import { errorsAmong } from '../domain/graph/graph-issue.ts';
import { fromDify } from '../domain/import/dify/from-dify.ts';
import { allIssues, createWorkflow } from '../domain/manage-workflows.ts';
import { importTriggers } from '../domain/triggers/import-triggers.ts';
import { etagOf, toIssueResponse, toNotesResponse, toWorkflowResponse } from '../responses.ts';
import { importWorkflowRoute } from '../routes.ts';
import { toNewTriggerResponse } from '../trigger-responses.ts';

const ports = { ...managePorts(), staff };

const endpoint = pipeline(importWorkflowRoute, http, async ({ principal, body, signal, baseUrl, language }) => {
  const {
    notes,
    triggers = [],
    ...draft
  } = fromDify(await parseYaml(body.dsl, { tenant: principal.workspaceId, signal }));
  const named = { ...draft, name: body.name ?? draft.name };
  const created = await createWorkflow(principal.workspaceId, named, ports);
  const issues = await allIssues(created.draft, created, { ...ports, signal });
  const made = await importTriggers(created, triggers, triggerPorts());
  const valid = errorsAmong(issues).length === 0;
  return {
    ...envelopeReply(
      201,
      {
        workflow: toWorkflowResponse(created),
        valid,
        issues: issues.map((issue) => toIssueResponse(issue, language)),
        ...toNotesResponse([...notes, ...made.notes], language),
        triggers: made.created.map((each) => toNewTriggerResponse(each, baseUrl)),
      },
      valid ? 'The workflow is created.' : 'The workflow is created as a draft, which cannot be run yet.',
    ),
    headers: { ...etagOf(created), location: `/api/v1/workflows/${created.workflowId}` },
  };
});

export const handler = bufferedHandler(endpoint);
