/**
 * `npm start`: the whole service on this machine. Settings: PORT, HOST, TRIPOD_DATA_DIR, DEBUG. JavaScript, because what comes before
 * the cache would have its types stripped at every start, and what strips them takes longer to load than Node.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Half of a start is compiling. Not in the common temporary directory, where others could place code.
const { directory } = enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
// For the readers, which are separate processes.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
const { start } = await import('../local/start.ts');
await start();
// Now, and when the first requests and pages have loaded what they need; not at the end, which may be sudden.
flushCompileCache();
for (const seconds of [2, 10, 60]) setTimeout(flushCompileCache, 1000 * seconds).unref();
