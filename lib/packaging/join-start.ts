import { join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { repository } from './paths.ts';

/** The entry point to name in the builder's options: which file it stands for may change from build to build. */
export const ENTRY = 'entry';
/** A module that imports all that the entry imports. */
const START = 'start';

/**
 * Puts what an entry imports on its start into one file. esbuild makes a file for each set of modules that the same lazy chunks
 * need: dozens, each of which a cold start would find, read and link. Here every lazy chunk needs the whole start.
 *
 * The entry's own code stays apart: it may wait for a lazy chunk, which must not import what still waits for it.
 * @param compiled files that entries are bundled from.
 * @param entryFile the one to bundle next.
 */
export function joinStart({ outputs }: Metafile, entryFile: () => string): Plugin {
  const outputOf = (file: string) => outputs[relative(repository, file)]!;
  const start = () =>
    outputOf(entryFile())
      .imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map(({ path }) => `import ${JSON.stringify(join(repository, path))};`)
      .join('\n');
  const afterStart = (file: string) =>
    `import ${JSON.stringify(START)}; export { ${outputOf(file).exports.join(', ')} } from ${JSON.stringify(file)};`;
  return {
    name: 'join-start',
    setup({ onResolve, onLoad }) {
      const AFTER_START = 'after-start';
      onResolve({ filter: new RegExp(`^${ENTRY}$`) }, () => ({ path: entryFile(), namespace: AFTER_START }));
      onResolve({ filter: /^\..*\.mjs$/ }, ({ path, kind, resolveDir }) =>
        kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: AFTER_START } : undefined,
      );
      onResolve({ filter: new RegExp(`^${START}$`) }, ({ path }) => ({ path, namespace: START }));
      onLoad({ filter: /.*/, namespace: AFTER_START }, ({ path }) => ({
        contents: afterStart(path),
        resolveDir: repository,
      }));
      onLoad({ filter: /.*/, namespace: START }, () => ({ contents: start(), resolveDir: repository }));
    },
  };
}
