import type { MakeExportPorts } from '../../accounts/domain/export-workspace.ts';
import { ZipArchive } from '../../adapters/exports/zip-archive.ts';
import { s3Client } from '../../adapters/s3/client.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { exportSources } from './export-sources.ts';
import { exports } from './exports.ts';

/** For the one function that reads what all services have of a workspace. */
export function makeExportPorts(): MakeExportPorts {
  const { EXPORTS_BUCKET } = environment('EXPORTS_BUCKET');
  return {
    exports: exports(),
    clock: systemClock,
    sources: exportSources,
    archive: () => new ZipArchive(EXPORTS_BUCKET, s3Client()),
  };
}
