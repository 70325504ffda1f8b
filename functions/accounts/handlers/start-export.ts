import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { startExportPorts } from '../../wiring/accounts/exports.ts';
import { originOf } from '../audit-origin.ts';
import { startExport } from '../domain/export-workspace.ts';
import { toExportResponse } from '../workspace-responses.ts';
import { startExportRoute } from '../workspace-routes.ts';

const ports = startExportPorts();

const endpoint = pipeline(startExportRoute, http, async (request) => {
  const started = await startExport(request.principal.workspaceId, originOf(request), ports);
  return envelopeReply(202, toExportResponse(started, null), 'Ask for the export until its status is completed.');
});

export const handler = bufferedHandler(endpoint);
