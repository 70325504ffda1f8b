import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { buckets, tables } from '../../functions/shared/resources.ts';
import { bundleFunctions } from '../../lib/packaging/bundle-functions.ts';
import { filesOf, folderBytes } from '../../lib/packaging/files-of.ts';
import { functionEntries } from '../../lib/packaging/function-entries.ts';
import { buildOcrLayer } from '../../lib/packaging/ocr-layer.ts';
import type { Cpu } from '../../lib/packaging/ocr-layer-contents.ts';
import { zipFolder } from '../../lib/packaging/zip-folder.ts';

const MEGABYTE = 1_000_000;
const run = promisify(execFile);

const PAGE = fileURLToPath(new URL('../fixtures/pages/screen-001', import.meta.url));
interface Truth {
  readonly table: { readonly rows: readonly { readonly cells: { readonly drugCode: { readonly text: string } } }[] };
}

/** The layer of this machine's own processor, so that what is in it can be run. It needs Linux, as Lambda does. */
describe.runIf(process.platform === 'linux')('the OCR layer', () => {
  let temporary: string;
  let layer: string;
  let functions: string;
  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'tripod-layer-'));
    layer = await buildOcrLayer(process.arch as Cpu, join(temporary, 'opt'));
    functions = join(temporary, 'functions');
    const entries = { 'layer-probe': 'test/stack/layer-probe.ts', ...functionEntries(routes) };
    await bundleFunctions({ outdir: functions, entries });
  });
  afterAll(() => rm(temporary, { recursive: true }));

  /** As on Lambda: packages of a layer are found through NODE_PATH, and nothing of this repository is in reach. */
  const lambda = (script: string, ...args: string[]) =>
    run(process.execPath, ['--input-type=module', '-e', script, ...args], {
      cwd: temporary,
      env: {
        NODE_PATH: join(layer, 'nodejs/node_modules'),
        OCR_DIR: join(layer, 'ocr'),
        AWS_REGION: 'ap-northeast-2',
        READER: 'embedded',
        DRUG_MASTER: 's3://masters/drug-master.tsv.gz',
        ...Object.fromEntries(
          [...Object.values(tables), ...Object.values(buckets)].map(({ environment }) => [environment, 'none']),
        ),
      },
    });
  const urlOf = (entry: string) => JSON.stringify(pathToFileURL(join(functions, `${entry}.mjs`)).href);

  it('brings the native modules and models with which a bundled function reads a page', async () => {
    const { stdout } = await lambda(`await import(${urlOf('layer-probe')})`, `${PAGE}.png`);
    const texts: string[] = JSON.parse(stdout);
    const { table } = JSON.parse(await readFile(`${PAGE}.json`, 'utf8')) as Truth;
    const codes = table.rows.map(({ cells }) => cells.drugCode.text);
    // How well it reads is for the benchmark to say.
    expect(codes.filter((code) => texts.includes(code)).length).toBeGreaterThan(codes.length / 2);
  });

  it.each(routes.map(({ id, handler }) => [id, handler]))(
    'with it, the bundled function of %s loads',
    async (_, handler) => {
      const { stdout } = await lambda(
        `const { handler } = await import(${urlOf(handler!)}); console.log(typeof handler); process.exit();`,
      );
      expect(stdout.trim()).toBe('function');
    },
  );

  it('stays within its limit, and with the functions within that of Lambda', () => {
    const layerBytes = folderBytes(layer);
    console.log(`OCR layer, linux-${process.arch}: ${(layerBytes / MEGABYTE).toFixed(1)} MB unzipped`);
    expect(layerBytes).toBeLessThanOrEqual(120 * MEGABYTE);
    expect(layerBytes + folderBytes(functions)).toBeLessThanOrEqual(250 * MEGABYTE);
  });

  it('goes up as a zip of the same files, readable for Lambda', async () => {
    const folder = join(layer, 'nodejs/node_modules/semver');
    const archive = join(temporary, 'layer.zip');
    await zipFolder(folder, archive);
    const bytes = await readFile(archive);
    const unzipped = unzipSync(bytes);
    expect(Object.keys(unzipped).sort()).toEqual(filesOf(folder));
    for (const [name, content] of Object.entries(unzipped))
      expect(Buffer.compare(content, await readFile(join(folder, name))), name).toBe(0);
    await zipFolder(folder, archive);
    expect(Buffer.compare(bytes, await readFile(archive))).toBe(0);
  });
});
