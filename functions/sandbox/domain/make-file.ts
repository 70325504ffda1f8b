/** Function that makes documents and charts for other parts of the platform. */
export const MAKE_FILE = 'sandbox.make-file';

/** Its event, and its result. */
export type { FileToMake, MadeFile } from './files/make-file.ts';
