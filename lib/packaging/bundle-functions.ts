import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, context, type Metafile, type Plugin } from 'esbuild';
import { embedFonts } from './embed-fonts.ts';
import { embedMeaning } from './embed-meaning.ts';
import { ENTRY, joinStart } from './join-start.ts';
import { layerPackages } from './ocr-layer-contents.ts';
import { routeTables } from './route-tables.ts';

/** The function that serves the OpenAPI document. */
const OPENAPI_DOCUMENT = 'system/handlers/get-openapi';
const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

export interface BundleOptions {
  /** Folder to fill; its old content is removed. */
  readonly outdir: string;
  /** Folder of the function's asset below `outdir` → source file, relative to the repository. */
  readonly entries: Readonly<Record<string, string>>;
  /** True for source maps next to the code, for reading a stack trace; no asset has them. */
  readonly maps?: boolean;
}

export interface FunctionBundles {
  /** Of all functions in one build, by source file: `<outdir>/shared/<entry>.mjs` and the chunks that they share. */
  readonly shared: Metafile;
  /** Of the asset of each entry, its files as they are named in its folder: `index.mjs` and the chunks that it imports on the way. */
  readonly assets: Readonly<Record<string, Metafile>>;
}

/**
 * An asset for each function: one file with what every request needs, and chunks with what only some need. A cold start reads
 * few files and changes of one function upload that one.
 *
 * Sources are compiled once, all functions together. The assets are made from that output, one after the other by a builder
 * that keeps what it has parsed: most of what a function needs others need too.
 */
export async function bundleFunctions({ outdir, entries, maps = false }: BundleOptions): Promise<FunctionBundles> {
  await rm(outdir, { recursive: true, force: true });
  const compiled = join(outdir, 'shared');
  const compile = (documented: boolean) =>
    build({
      ...common,
      entryPoints: Object.fromEntries(
        Object.entries(entries).filter(([entry]) => (entry === OPENAPI_DOCUMENT) === documented),
      ),
      outdir: compiled,
      chunkNames: 'chunks/[name]-[hash]',
      // The annotations of pure calls, which the second pass needs, go with the white space.
      minifyWhitespace: false,
      // Some packages offer ES modules only in `module`; taken as CommonJS they cannot be shaken and weigh twice as much.
      mainFields: ['module', 'main'],
      plugins: [requireFromLayer(layerPackages), routeTables({ documented }), embedFonts, embedMeaning],
      loader: { '.ttf': 'binary', '.bin': 'binary' },
      sourcemap: maps && 'linked',
    });
  const builds = await Promise.all([compile(false), compile(true)]);
  const shared: Metafile = {
    inputs: Object.assign({}, ...builds.map(({ metafile }) => metafile.inputs)),
    outputs: Object.assign({}, ...builds.map(({ metafile }) => metafile.outputs)),
  };
  const asset = join(outdir, 'asset');
  let current = '';
  const bundling = await context({
    ...common,
    absWorkingDir: asset,
    entryPoints: { index: ENTRY },
    outdir: asset,
    external: [...layerPackages],
    plugins: [joinStart(shared, () => join(compiled, `${current}.mjs`))],
    // CommonJS inside an ES module has no `require`; this way costs no import.
    banner: {
      js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    },
    sourcemap: maps && 'external',
    // The maps go elsewhere with their code.
    sourceRoot: pathToFileURL(`${asset}/`).href,
  });
  const assets: Record<string, Metafile> = {};
  try {
    for (const entry of Object.keys(entries)) {
      current = entry;
      ({ metafile: assets[entry] } = await bundling.rebuild());
      const folder = join(outdir, entry);
      await mkdir(dirname(folder), { recursive: true });
      await rename(asset, folder);
    }
  } finally {
    await bundling.dispose();
  }
  return { shared, assets };
}

const common = {
  absWorkingDir: REPOSITORY,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  minifyIdentifiers: true,
  minifySyntax: true,
  minifyWhitespace: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
} as const satisfies BuildOptions;

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
