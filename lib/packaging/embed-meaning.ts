import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { MEANING_FILE } from '../../functions/adapters/knowledge/meaning-file.ts';

/** Puts the subword vectors of searches into the code, in a chunk that the first search loads: a function has no other file to read. */
export const embedMeaning: Plugin = {
  name: 'embed-meaning',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]adapters[\\/]knowledge[\\/]meaning-file\.ts$/ }, () => {
      const contents = `
        import bytes from ${JSON.stringify(fileURLToPath(MEANING_FILE))};
        export const meaningFile = async () => bytes;`;
      return { contents, loader: 'js' };
    });
  },
};
