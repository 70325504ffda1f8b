import { fileURLToPath } from 'node:url';

/** Folder with the recogniser's models in the repository. */
export const MODEL_FOLDER = fileURLToPath(new URL('../../../layers/ocr', import.meta.url));
