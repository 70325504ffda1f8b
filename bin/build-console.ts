/** `npm run build:console`: builds console/ where it has changed since the last time, and prints the folder of the result. */
import { buildConsole } from '../lib/packaging/build-console.ts';

console.log(await buildConsole());
