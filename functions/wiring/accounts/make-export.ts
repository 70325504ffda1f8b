import type { MakeExportPorts } from '../../accounts/domain/export-workspace.ts';
import { ZipArchive } from '../../adapters/exports/zip-archive.ts';
import { s3Client } from '../../adapters/s3/client.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { channelSources } from '../channels/export-sources.ts';
import { chatSources } from '../chat/export-sources.ts';
import { extractionSources } from '../extraction/export-sources.ts';
import { knowledgeSources } from '../knowledge/export-sources.ts';
import { workflowSources } from '../workflows/export-sources.ts';
import { accountSources } from './export-sources.ts';
import { exports } from './exports.ts';

/** Everything of a workspace that it can read by the API, without secrets. Images are fetched by their own addresses. */
const SOURCES = [
  ...accountSources,
  ...extractionSources,
  ...chatSources,
  ...knowledgeSources,
  ...channelSources,
  ...workflowSources,
];

/** For the one function that reads what all services have of a workspace. */
export function makeExportPorts(): MakeExportPorts {
  const { EXPORTS_BUCKET } = environment('EXPORTS_BUCKET');
  return {
    exports: exports(),
    clock: systemClock,
    sources: SOURCES,
    archive: () => new ZipArchive(EXPORTS_BUCKET, s3Client()),
  };
}
