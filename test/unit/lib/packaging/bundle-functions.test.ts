import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileRenderer } from '../../../../functions/sandbox/domain/files/make-file.ts';
import { bundleFunctions } from '../../../../lib/packaging/bundle-functions.ts';
import { bytesByPackage, staticImports } from '../../../../lib/packaging/static-imports.ts';

const SOURCES = {
  'count.ts': 'let calls = 0; export const count = () => ++calls;',
  'words.ts': "import { count } from './count.ts'; export const word = (text: string) => text + count();",
  'lazy.ts': "import { word } from './words.ts'; export const lazily = () => word('lazy ');",
  'lazier.ts':
    "import { count } from './count.ts'; import { lazily } from './lazy.ts'; export const both = () => lazily() + ' ' + count();",
  'asked.ts': `
    import { word } from './words.ts';
    export const handler = async () => {
      const [{ lazily }, { both }, words] = await Promise.all([import('./lazy.ts'), import('./lazier.ts'), import('./words.ts')]);
      return [word('first '), lazily(), both(), words.word('again ')];
    };`,
  'waiting.ts': `
    import { word } from './words.ts';
    const { lazily } = await import('./lazy.ts');
    export const handler = async () => [word('first '), lazily()];`,
};

describe('bundleFunctions', () => {
  let folder: string;
  let assets: Readonly<Record<string, Metafile>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tripod-bundles-'));
    for (const [file, source] of Object.entries(SOURCES)) await writeFile(join(folder, file), source);
    const entries = { asked: join(folder, 'asked.ts'), waiting: join(folder, 'waiting.ts') };
    ({ assets } = await bundleFunctions({ outdir: join(folder, 'out'), entries }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const handlerOf = async (entry: string) => {
    const { handler } = await import(pathToFileURL(join(folder, 'out', entry, 'index.mjs')).href);
    return handler() as Promise<readonly string[]>;
  };

  it.each(['asked', 'waiting'])('reads two files at the start of %s', (entry) => {
    expect(staticImports(assets[entry]!, 'index.mjs')).toHaveLength(2);
  });

  it('gives lazy chunks the same modules, once', async () => {
    expect(await handlerOf('asked')).toEqual(['first 1', 'lazy 2', 'lazy 3 4', 'again 5']);
  });

  it('lets a handler wait for a lazy chunk', async () => {
    expect(await handlerOf('waiting')).toEqual(['first 1', 'lazy 2']);
  });
});

/** The bundle of a real function, on a machine that does other things as well. */
const BUNDLED_WITHIN_MS = 60_000;

describe('the asset of the function that makes files', () => {
  it(
    'has its fonts and its thread in it',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tripod-files-'));
      const entry = 'functions/adapters/documents/render-thread.ts';
      await writeFile(
        join(folder, 'handler.ts'),
        `export const load = () => import(${JSON.stringify(resolve(entry))});`,
      );
      const outdir = join(folder, 'out');
      await bundleFunctions({ outdir, entries: { files: join(folder, 'handler.ts') } });
      const { load } = await import(pathToFileURL(join(outdir, 'files/index.mjs')).href);
      const renderer = (await load()).threadedRenderer() as FileRenderer;
      const { signal } = new AbortController();
      const document = { markdown: '# 가', title: null } as const;
      const pdf = Buffer.from(await renderer.render('ws', { kind: 'pdf', ...document }, signal)).toString('latin1');
      expect(pdf).toMatch(/^%PDF-[\s\S]*GothicA1/);
      const docx = await renderer.render('ws', { kind: 'docx', ...document }, signal);
      expect(Buffer.from(docx.subarray(0, 2)).toString()).toBe('PK');
      const svg = await renderer.render('ws', { kind: 'chart', chart: { series: [{ values: [1] }] } }, signal);
      expect(Buffer.from(svg).toString()).toMatch(/^<svg /);
      await rm(folder, { recursive: true });
    },
    BUNDLED_WITHIN_MS,
  );
});

describe('the start of a function', () => {
  it(
    'loads no code of options that are off: tracing, and what only a sign-in needs',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tripod-start-'));
      const entries = { start: 'functions/accounts/handlers/complete-sign-in.ts' };
      const { shared } = await bundleFunctions({ outdir: folder, entries });
      await rm(folder, { recursive: true });
      const lazy = /^(@opentelemetry\/|openid-client$|oauth4webapi$|otpauth$)/;
      const lazyAmong = (files: readonly string[]) =>
        bytesByPackage(shared, files).filter(([name, bytes]) => bytes > 0 && lazy.test(name));
      const start = Object.keys(shared.outputs).find((file) => file.endsWith('/shared/start.mjs'))!;
      expect(lazyAmong(staticImports(shared, start))).toEqual([]);
      const later = lazyAmong(Object.keys(shared.outputs)).map(([name]) => name);
      expect(later).toEqual(expect.arrayContaining(['@opentelemetry/sdk-trace', 'openid-client', 'otpauth']));
    },
    BUNDLED_WITHIN_MS,
  );
});
