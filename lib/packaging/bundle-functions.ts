import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { layerPackages } from './ocr-layer-contents.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

export interface BundleOptions {
  /** Folder to fill; what was in it is removed. */
  readonly outdir: string;
  /** Module path without ending (the Lambda handler's file) → source file, relative to the repository. */
  readonly entries: Readonly<Record<string, string>>;
}

/**
 * All functions in one build: what they share becomes chunks that each one imports, so that one asset serves them all
 * and a code path that a request does not take is not read.
 */
export async function bundleFunctions({ outdir, entries }: BundleOptions): Promise<Metafile> {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: REPOSITORY,
    entryPoints: entries,
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Some packages offer ES modules only in `module`; taken as CommonJS they cannot be shaken and weigh twice as much.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    // Beside the code, for reading a stack trace; the asset leaves the maps out.
    sourcemap: 'external',
    // CommonJS inside an ES module has no `require`; this way costs no import.
    banner: {
      js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    },
    plugins: [requireFromLayer(layerPackages)],
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

/**
 * Leaves packages out of the bundle and loads them by `require`: Lambda looks into its layers (through NODE_PATH) for
 * CommonJS only, an `import` of a package in a layer fails.
 */
function requireFromLayer(packages: readonly string[]): Plugin {
  const namespace = 'layer';
  return {
    name: 'require-from-layer',
    setup({ onResolve, onLoad }) {
      const names = new RegExp(`^(${packages.join('|')})$`);
      onResolve({ filter: names }, ({ path, namespace: from }) =>
        from === namespace ? { path, external: true } : { path, namespace },
      );
      onLoad({ filter: /.*/, namespace }, async ({ path }) => ({ contents: await requiringModule(path) }));
    },
  };
}

/** An ES module with the names that Node finds in the package: of CommonJS, esbuild would give `import()` only `default`. */
async function requiringModule(name: string): Promise<string> {
  const names = Object.keys(await import(name)).filter((key) => key !== 'default' && /^[A-Za-z_$][\w$]*$/.test(key));
  return `
    const required = require(${JSON.stringify(name)});
    export default required;
    export const { ${names.join(', ')} } = required;`;
}
