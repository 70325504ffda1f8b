import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The script of embed/ as browsers load it. */
export async function buildEmbed(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    entryPoints: ['embed/main.ts'],
    tsconfig: 'embed/tsconfig.json',
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    // What browsers of 2023 know: adopted style sheets are the newest of it.
    target: ['chrome110', 'firefox110', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}
