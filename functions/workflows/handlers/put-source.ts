import type * as z from 'zod';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { parse } from '../../shared/http/parse-input.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, managePorts, parseYaml } from '../../wiring/workflows/workflows.ts';
import { changeWorkflow } from '../domain/manage-workflows.ts';
import { toGraph } from '../graph-wire.ts';
import { etagOf, expectedVersionOf, toWorkflowResponse } from '../responses.ts';
import { putSourceRoute, sourceContent } from '../source-route.ts';

const ports = managePorts();

const endpoint = pipeline(putSourceRoute, http, async ({ principal, params, headers, body, signal }) => {
  const source = await parseYaml(body.source, { tenant: principal.workspaceId, signal });
  const content = parse(sourceContent, source, 'source') as z.output<typeof sourceContent>;
  const { name, description, graph } = content;
  const expectedVersion = expectedVersionOf(headers['if-match']);
  const change = {
    name,
    description,
    graph: toGraph(graph),
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
  const changed = await changeWorkflow({ workspaceId: principal.workspaceId, workflowId: params.id }, change, ports);
  return { ...envelopeReply(200, toWorkflowResponse(changed), 'The workflow is changed.'), headers: etagOf(changed) };
});

export const handler = bufferedHandler(endpoint);
