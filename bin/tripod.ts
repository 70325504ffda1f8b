import { fileURLToPath } from 'node:url';
import { routes } from '../functions/routes.ts';
import { workers } from '../functions/workers.ts';
import { buildConsole } from '../lib/packaging/build-console.ts';
import { bundleFunctions } from '../lib/packaging/bundle-functions.ts';
import { functionEntries } from '../lib/packaging/function-entries.ts';
import { functionAssets } from '../lib/packaging/paths.ts';
import { runningVersion } from '../lib/packaging/running-version.ts';
import { tripodApp } from '../lib/tripod-app.ts';

/** The CDK app: `npx cdk synth`, `npx cdk deploy --all`. It bundles the functions first, so that the deployed code is the current one. */
await bundleFunctions({ outdir: functionAssets, entries: functionEntries([...routes, ...workers]) });
const consoleAssets = await buildConsole();
const targetRegion = process.env.CDK_DEFAULT_REGION;
tripodApp({
  routes,
  functionAssets,
  consoleAssets,
  version: runningVersion(),
  optionsFolder: fileURLToPath(new URL('../deploy/', import.meta.url)),
  ...(targetRegion !== undefined && { targetRegion }),
}).app.synth();
