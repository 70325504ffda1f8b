import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const FONT = fileURLToPath(
  new URL('../../node_modules/@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf', import.meta.url),
);
const WHITE = '#ffffff';

/** A picture of columns of print, side by side, each as a scanner at 150 dots an inch would give it. */
export async function scannedPage(...columns: readonly string[]): Promise<Buffer> {
  const pictures = await Promise.all(columns.map((text) => columnOf(text, Math.floor(1000 / columns.length))));
  const left = [0];
  for (const { width } of pictures) left.push(left.at(-1)! + width);
  return sharp({
    create: {
      ...{ width: left.at(-1)!, height: Math.max(...pictures.map(({ height }) => height)), channels: 3 },
      background: WHITE,
    },
  })
    .composite(pictures.map(({ picture }, index) => ({ input: picture, left: left[index]!, top: 0 })))
    .png()
    .toBuffer();
}

async function columnOf(text: string, width: number) {
  const black = await sharp({ text: { text, fontfile: FONT, font: 'NanumGothic 11', dpi: 150, width, spacing: 10 } })
    .png()
    .toBuffer();
  const print = await sharp(black).negate().png().toBuffer();
  const margins = { top: 60, bottom: 60, left: 60, right: 60, background: WHITE };
  const { data: picture, info } = await sharp(print).extend(margins).png().toBuffer({ resolveWithObject: true });
  return { picture, width: info.width, height: info.height };
}
