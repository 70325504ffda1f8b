import { dirname, join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { repository } from './paths.ts';

/** What importing an entry reads: its file and, again and again, what that imports other than by `import()`. */
export function staticImports({ outputs }: Metafile, file: string): readonly string[] {
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
      // Files of one asset are each other's externals, as they are written in the code.
      const file = external ? join(dirname(path), imported) : imported;
      if (kind === 'import-statement' && file in outputs) visit(file);
    }
  };
  visit(relative(repository, file));
  return [...seen];
}

export function bytesOf({ outputs }: Metafile, files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
}

/** Bytes by package, or by folder of the repository, heaviest first. */
export function bytesByPackage({ outputs }: Metafile, files: readonly string[]): readonly [string, number][] {
  const bytes = new Map<string, number>();
  for (const file of files)
    for (const [source, { bytesInOutput }] of Object.entries(outputs[file]?.inputs ?? {})) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? source.split('/').slice(0, 2).join('/');
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  return [...bytes].sort(([, a], [, b]) => b - a);
}
