import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { exportLinks, startExportPorts } from '../../wiring/accounts/exports.ts';
import { findExport } from '../domain/export-workspace.ts';
import { toExportResponse } from '../workspace-responses.ts';
import { getExportRoute } from '../workspace-routes.ts';

const ports = startExportPorts();
const linkTo = exportLinks();

const endpoint = pipeline(getExportRoute, http, async ({ principal, params }) => {
  const found = await findExport(principal.workspaceId, params.id, ports);
  const url = found.status === 'completed' ? await linkTo(found) : null;
  return envelopeReply(200, toExportResponse(found, url), 'The export.');
});

export const handler = bufferedHandler(endpoint);
