import type { Metafile } from 'esbuild';

/** The files that importing an entry reads: its own and, recursively, its static imports. */
export function staticImports({ outputs }: Metafile, entry: string): readonly string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && path in outputs) visit(path);
  };
  visit(entry);
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
