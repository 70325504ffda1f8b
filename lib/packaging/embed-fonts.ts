import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';
import { FONT_FILES } from '../../functions/adapters/documents/korean-fonts.ts';

const { resolve } = createRequire(import.meta.url);

/** Puts the fonts of documents into the code: an asset of a function has no packages to read them from. */
export const embedFonts: Plugin = {
  name: 'embed-fonts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]adapters[\\/]documents[\\/]korean-fonts\.ts$/ }, () => {
      const [regular, bold] = FONT_FILES.map((file) => JSON.stringify(resolve(file)));
      const contents = `
        import regular from ${regular};
        import bold from ${bold};
        export const koreanFonts = async () => ({ regular, bold });`;
      return { contents, loader: 'js' };
    });
  },
};
