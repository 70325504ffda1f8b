import { fileURLToPath } from 'node:url';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const repository = inRepository('');
/** Folder of the functions' assets, one for each. */
export const functionAssets = inRepository('dist/functions');
/** The OCR layer, unpacked as Lambda mounts it at /opt. */
export const ocrLayerAsset = inRepository('dist/layers/ocr');
