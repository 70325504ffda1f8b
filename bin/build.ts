import { relative } from 'node:path';
import { routes } from '../functions/routes.ts';
import { workers } from '../functions/workers.ts';
import { bundleFunctions } from '../lib/packaging/bundle-functions.ts';
import { functionEntries } from '../lib/packaging/function-entries.ts';
import { functionAssets, repository } from '../lib/packaging/paths.ts';

/** `npm run build`: the code of every function, as `cdk deploy` uploads it, in dist/functions. */
const { assets } = await bundleFunctions({
  outdir: functionAssets,
  entries: functionEntries([...routes, ...workers]),
  maps: true,
});
const outputs = Object.values(assets).flatMap((asset) => Object.entries(asset.outputs));
const code = outputs.filter(([file]) => file.endsWith('.mjs'));
const bytes = code.reduce((sum, [, output]) => sum + output.bytes, 0);
console.log(
  `${routes.length + workers.length} functions, ${code.length} files, ${Math.round(bytes / 1024)} KB in ${relative(repository, functionAssets)}`,
);
