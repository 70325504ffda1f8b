import { basename, dirname, join } from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';
import { repository } from './paths.ts';
import { staticImports } from './static-imports.ts';

/** The file with what an entry imports on its start. */
const START = 'start';

/**
 * Options of the build that puts what an entry imports on its start into one file. esbuild makes a file for each set of
 * modules that the same lazy chunks need: dozens, each of which a cold start would find, read and link.
 *
 * The entry's own code stays apart: it may wait for a lazy chunk, which must not import what still waits for it.
 * @param split the asset as `splitting` made it, in files beside each other.
 * @param entry its entry.
 */
export function joinedStart(
  split: BuildResult<{ write: false; metafile: true }>,
  entry: string,
): Required<Pick<BuildOptions, 'entryPoints' | 'plugins'>> {
  const contents = new Map(split.outputFiles.map((file) => [file.path, file.contents]));
  const files = new Map(
    Object.entries(split.metafile.outputs).map(([file, output]) => [join(repository, file), output]),
  );
  const joined = staticImports(split.metafile, entry)
    .map((file) => join(repository, file))
    .filter((file) => file !== entry);
  const others = [...files.keys()].filter((file) => !joined.includes(file));
  const importedBy = (importers: Iterable<string>, ...kinds: readonly string[]) =>
    new Set(
      [...importers].flatMap((file) =>
        files.get(file)!.imports.flatMap(({ path, kind }) => (kinds.includes(kind) ? [join(repository, path)] : [])),
      ),
    );
  const exportedLater = importedBy(others, 'import-statement');
  const loadedLater = importedBy(files.keys(), 'dynamic-import');

  /** Files use the same short names, so that each export of the start has the number of its file. */
  const exportsOf = (file: string) =>
    files.get(file)!.exports.map((name) => ({ name, numbered: `${name}_${joined.indexOf(file)}` }));
  const start = () =>
    joined
      .filter((file) => exportedLater.has(file) || loadedLater.has(file))
      .map((file) => {
        const names = exportsOf(file).map(({ name, numbered }) => `${name} as ${numbered}`);
        return `export { ${names.join(', ')} } from ${JSON.stringify(file)};`;
      })
      .join('\n');
  /** In the place of a joined file, for those that import it. */
  const standIn = (file: string) => {
    const names = exportsOf(file).map(({ name, numbered }) => `${numbered} as ${name}`);
    return `export { ${names.join(', ')} } from './${START}.mjs';`;
  };

  const joinStart: Plugin = {
    name: 'join-start',
    setup({ onResolve, onLoad }) {
      const [SPLIT, STAND_IN] = ['split', 'stand-in'];
      onResolve({ filter: /.*/ }, ({ path, kind, importer, namespace: from }) => {
        if (path === START) return { path, namespace: START };
        const file = path.startsWith('.') ? join(dirname(importer), path) : path;
        if (!files.has(file)) return path === `./${START}.mjs` ? { path, external: true } : undefined;
        if (kind === 'dynamic-import') return { path, external: true };
        if (from === START || joined.includes(importer)) return { path: file, namespace: SPLIT };
        if (joined.includes(file)) return { path: file, namespace: STAND_IN };
        return kind === 'entry-point' ? { path: file, namespace: SPLIT } : { path, external: true };
      });
      onLoad({ filter: /.*/, namespace: START }, () => ({ contents: start() }));
      onLoad({ filter: /.*/, namespace: STAND_IN }, ({ path }) => ({ contents: standIn(path) }));
      onLoad({ filter: /.*/, namespace: SPLIT }, ({ path }) => ({ contents: contents.get(path)! }));
    },
  };
  const named = [...others, ...joined.filter((file) => loadedLater.has(file))].map(
    (file) => [basename(file, '.mjs'), file] as const,
  );
  return { entryPoints: { [START]: START, ...Object.fromEntries(named) }, plugins: [joinStart] };
}
