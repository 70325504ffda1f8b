import { unmarkedEvent } from '../../shared/invocation-version.ts';
import type { WorkspaceExport } from '../domain/export-workspace.ts';
import { makeExport } from '../domain/export-workspace.ts';
import { makeExportPorts } from '../make-export-wiring.ts';

const ports = makeExportPorts();

export const handler = (id: Pick<WorkspaceExport, 'workspaceId' | 'exportId'>): Promise<void> =>
  makeExport(unmarkedEvent(id), ports);
