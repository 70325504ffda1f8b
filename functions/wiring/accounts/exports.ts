import type { StartExportPorts, WorkspaceExport } from '../../accounts/domain/export-workspace.ts';
import { exportKey } from '../../accounts/domain/export-workspace.ts';
import { EXPORT_WORKSPACE } from '../../accounts/workspace-routes.ts';
import { DynamoExports } from '../../adapters/accounts/dynamo-exports.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { startFunction } from '../../adapters/lambda/invoke-function.ts';
import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';

export function exports(): DynamoExports {
  return new DynamoExports(dynamoClient(), environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE);
}

export function startExportPorts(): StartExportPorts {
  return {
    exports: exports(),
    clock: systemClock,
    ids: ulidIds,
    start: (id) => startFunction({ id: EXPORT_WORKSPACE }, id),
  };
}

const LINK_SECONDS = 60 * 60;

/** Makes addresses that give an export to any holder, for an hour. */
export function exportLinks(): (finished: WorkspaceExport) => Promise<string> {
  const { EXPORTS_BUCKET } = environment('EXPORTS_BUCKET');
  const links = memoizeAsync(async () => {
    const { S3UploadLinks } = await import('../../adapters/extraction/s3-upload-links.ts');
    return new S3UploadLinks(EXPORTS_BUCKET);
  });
  return async (finished) => (await links()).getLink(exportKey(finished), LINK_SECONDS);
}
