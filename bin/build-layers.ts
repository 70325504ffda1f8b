import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { folderBytes } from '../lib/packaging/files-of.ts';
import { buildOcrLayer } from '../lib/packaging/ocr-layer.ts';
import { ocrLayerAsset, repository } from '../lib/packaging/paths.ts';
import { zipFolder } from '../lib/packaging/zip-folder.ts';

/**
 * `npm run build:layers`: the OCR layer for Lambda on arm64, in dist/layers/ocr. With `--zip`, which is how `cdk deploy`
 * calls it, the only output is the path of the archive.
 */
const { values } = parseArgs({ options: { zip: { type: 'boolean', default: false } } });

const folder = await buildOcrLayer('arm64');
if (values.zip) {
  const archive = `${ocrLayerAsset}.zip`;
  await zipFolder(folder, archive);
  console.log(archive);
} else {
  const megabytes = folderBytes(folder) / 1e6;
  console.log(`OCR layer, linux-arm64: ${megabytes.toFixed(1)} MB unzipped in ${relative(repository, folder)}`);
}
