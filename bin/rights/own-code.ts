import { build } from 'esbuild';
import { handlerModule } from '../../functions/shared/handler-module.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { repository } from '../../lib/packaging/paths.ts';

/** Each function's own code in one text, without packages and without what it cannot reach by imports. */
export async function ownCode(functions: readonly Pick<Worker, 'id'>[]): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: Object.fromEntries(functions.map((entry) => [entry.id, `functions/${handlerModule(entry)}.ts`])),
    bundle: true,
    write: false,
    outdir: repository,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(repository.length).replace(/\.js$/, ''), text]));
}
