import type * as z from 'zod';
import type { WorkspaceExport } from './domain/export-workspace.ts';
import type { WorkspaceRecord } from './domain/manage-workspace.ts';
import type { exportResult, workspaceResult } from './workspace-schemas.ts';

export function toWorkspaceResponse(workspace: WorkspaceRecord): z.output<typeof workspaceResult>['data'] {
  const { workspaceId: id, name, createdAt, deletion, requiresSecondFactor, data } = workspace;
  return {
    id,
    name,
    created_at: createdAt,
    retention_days: data.retentionDays,
    keep_no_images: data.keepNoImages,
    keep_images: data.keepImages,
    mask_resident_numbers: data.maskResidentNumbers,
    require_second_factor: requiresSecondFactor,
    deletion: deletion && { requested_at: deletion.requestedAt, deletes_at: deletion.deletesAt },
  };
}

export function toExportResponse(
  { exportId: id, status, createdAt, finishedAt, bytes }: WorkspaceExport,
  url: string | null,
): z.output<typeof exportResult>['data'] {
  return { id, status, created_at: createdAt, finished_at: finishedAt, bytes, download_url: url };
}
