/** For the image: compiles Go's standard library into RUNNER_GO_CACHE, so that no runner has to. */
import { executable } from './runner/executables.ts';
import { goToolchain } from './runner/languages/go-toolchain.ts';

const { RUNNER_GO_CACHE } = process.env;
if (!RUNNER_GO_CACHE) throw new Error('RUNNER_GO_CACHE is not set.');
const go = await executable(['go'], { forOtherUsers: true });
if (go === null) throw new Error('Go is not on the PATH, or other users cannot execute it.');
const { version, library } = await goToolchain(go, RUNNER_GO_CACHE);
await library;
console.log(`Go ${version} is ready.`);
