import { startedHandler } from '../../shared/invoked-function.ts';
import type { WorkspaceExport } from '../domain/export-workspace.ts';
import { makeExport } from '../domain/export-workspace.ts';
import { makeExportPorts } from '../make-export-wiring.ts';

const ports = makeExportPorts();

export const handler = startedHandler<Pick<WorkspaceExport, 'workspaceId' | 'exportId'>>((id) => makeExport(id, ports));
