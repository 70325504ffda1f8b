/** `npm run console:sizes`: builds the console, prints what its pages load in gzip, and fails where one is over its bar. */
import { buildConsole } from '../lib/packaging/build-console.ts';
import { loadSizes } from '../lib/packaging/console-sizes.ts';

const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
for (const { name, bytes, maxBytes } of loadSizes(await buildConsole())) {
  if (bytes > maxBytes) process.exitCode = 1;
  console.log(`${kb(bytes).padStart(9)} of ${kb(maxBytes)}  ${name}`);
}
