import { traceparentOf, unmarkedEvent } from '../../shared/invocation-version.ts';
import { inSpan } from '../../shared/tracing/spans.ts';
import type { WorkspaceExport } from '../domain/export-workspace.ts';
import { makeExport } from '../domain/export-workspace.ts';
import { makeExportPorts } from '../make-export-wiring.ts';

const ports = makeExportPorts();

export const handler = (id: Pick<WorkspaceExport, 'workspaceId' | 'exportId'>): Promise<void> =>
  inSpan('invocation', { kind: 'server', parent: traceparentOf(id) }, () => makeExport(unmarkedEvent(id), ports));
