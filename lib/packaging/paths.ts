import { fileURLToPath } from 'node:url';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const repository = inRepository('');
/** The asset that every function shares. */
export const functionsAsset = inRepository('dist/functions');
/** The OCR layer, unpacked as Lambda mounts it at /opt. */
export const ocrLayerAsset = inRepository('dist/layers/ocr');
