import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fetchPackage } from './fetch-package.ts';
import { filesOf } from './files-of.ts';
import { alwaysKept, type Cpu, layerFiles } from './ocr-layer-contents.ts';
import { ocrLayerAsset, repository } from './paths.ts';

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

/** Models, dictionaries and what else the readers open; they find it in the layer's folder `ocr`. */
const MODELS = join(repository, 'layers/ocr');

/** Changes whenever the layer's contents do, and is known without building it. */
export function ocrLayerFingerprint(cpu: Cpu): string {
  const hash = createHash('sha256');
  for (const [name, files] of Object.entries(layerFiles(cpu)))
    hash.update(JSON.stringify([name, lockedPackage(name).integrity, files]));
  for (const file of filesOf(MODELS))
    hash.update(
      `${file} ${createHash('sha256')
        .update(readFileSync(join(MODELS, file)))
        .digest('hex')}\n`,
    );
  return hash.digest('hex');
}

/**
 * Puts the OCR layer together, as Lambda mounts it at /opt: `nodejs/node_modules` with the native packages of one
 * platform, `ocr` with the models. Packages that are not installed here, because they are another platform's, are
 * fetched from the registry at the version and checksum of package-lock.json.
 * @returns the folder; a layer that is there and current is left as it is.
 */
export async function buildOcrLayer(cpu: Cpu, folder: string = ocrLayerAsset): Promise<string> {
  const fingerprint = ocrLayerFingerprint(cpu);
  const marker = `${folder}.fingerprint`;
  if (existsSync(folder) && existsSync(marker) && (await readFile(marker, 'utf8')) === fingerprint) return folder;

  const unfinished = `${folder}.${process.pid}.tmp`;
  await rm(unfinished, { recursive: true, force: true });
  for (const [name, files] of Object.entries(layerFiles(cpu))) {
    const installed = join(repository, 'node_modules', name);
    const from = existsSync(installed) ? installed : await fetchPackage({ name, ...lockedPackage(name) });
    const to = join(unfinished, 'nodejs/node_modules', name);
    for (const file of globSync([...alwaysKept, ...files], { cwd: from })) {
      await mkdir(dirname(join(to, file)), { recursive: true });
      await cp(join(from, file), join(to, file));
    }
  }
  await cp(MODELS, join(unfinished, 'ocr'), { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  await writeFile(marker, fingerprint);
  return folder;
}

function lockedPackage(name: string): LockedPackage {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const locked = packages[`node_modules/${name}`];
  if (!locked) throw new Error(`package-lock.json has no ${name}, which the OCR layer needs.`);
  return locked;
}
