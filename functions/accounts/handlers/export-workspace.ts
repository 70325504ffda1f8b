import { startedHandler } from '../../shared/invoked-function.ts';
import { makeExportPorts } from '../../wiring/accounts/make-export.ts';
import type { WorkspaceExport } from '../domain/export-workspace.ts';
import { makeExport } from '../domain/export-workspace.ts';

const ports = makeExportPorts();

export const handler = startedHandler<Pick<WorkspaceExport, 'workspaceId' | 'exportId'>>((id) => makeExport(id, ports));
