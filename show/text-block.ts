import { createRequire } from 'node:module';
import sharp from 'sharp';

/** The picture must look the same where no Korean font is installed, so it brings its own. */
const FONT_FILE = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf',
);
const FONT = 'NanumGothic';
const LINE_GAP = 4;

export interface TextSpan {
  readonly text: string;
  readonly colour: string;
}

export interface TextBlock {
  /** A PNG with a transparent ground. */
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Draws lines of text, wrapped to a width in pixels. @param size of the letters, in points at 72 dpi: pixels. */
export async function textBlock(lines: readonly TextSpan[], width: number, size: number): Promise<TextBlock> {
  const markup = lines
    .map(({ text, colour }) => `<span foreground="${colour}">${escapeMarkup(text)}</span>`)
    .join('\n');
  const { data, info } = await sharp({
    text: {
      text: markup,
      fontfile: FONT_FILE,
      font: `${FONT} ${size}`,
      width,
      wrap: 'word-char',
      rgba: true,
      dpi: 72,
      spacing: LINE_GAP,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** The font has no compatibility forms such as ㎎: their plain letters say the same. */
function escapeMarkup(text: string): string {
  return text.normalize('NFKC').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
