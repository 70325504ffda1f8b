import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Gothic A1 (SIL Open Font License 1.1, named in the fonts themselves): Hangul, Latin, Greek, and the signs of drug tables. */
export interface KoreanFonts {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

/** From the package. The build puts a module in place of this one that has them in it: see `lib/packaging/embed-fonts.ts`. */
export async function koreanFonts(): Promise<KoreanFonts> {
  const { resolve } = createRequire(import.meta.url);
  const [regular, bold] = await Promise.all(FONT_FILES.map((file) => readFile(resolve(file))));
  return { regular: regular!, bold: bold! };
}

/** Regular and bold. */
export const FONT_FILES = [
  '@expo-google-fonts/gothic-a1/400Regular/GothicA1_400Regular.ttf',
  '@expo-google-fonts/gothic-a1/700Bold/GothicA1_700Bold.ttf',
] as const;
