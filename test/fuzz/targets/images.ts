import sharp from 'sharp';
import { bmp } from '../../helpers/files.ts';
import { samplePage } from '../../helpers/page-images.ts';
import { pdfOf } from '../../helpers/pdf.ts';
import { mutated } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

/** Damaged pictures and PDFs, sent to be extracted. */
export const images: FuzzTarget = {
  name: 'images',
  async start(service) {
    const samples = await imageSamples();
    return {
      input: async (random) => mutated(random.pick(samples), random),
      async attempt(input) {
        const body = JSON.stringify({ image: input.toString('base64') });
        await service.send('/api/v1/edi-extract-lite/extract', { method: 'POST', body });
      },
    };
  },
};

/** Of each kind that is accepted, small: most decisions are made over headers. */
async function imageSamples(): Promise<Buffer[]> {
  const page = sharp(await samplePage()).resize({ width: 200 });
  const encoded = await Promise.all([
    page.clone().png().toBuffer(),
    page.clone().png({ palette: true, progressive: true }).toBuffer(),
    page.clone().withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
    page.clone().webp().toBuffer(),
    page.clone().tiff({ compression: 'lzw' }).toBuffer(),
  ]);
  const gray = Array.from({ length: 40 }, (_, y) => Array.from({ length: 40 }, (_, x) => (x === y ? 0 : 255)));
  return [...encoded, bmp(gray, { bits: 1 }), bmp(gray, { bits: 24 }), pdfOf('640000010 1 2 3', 'Second page')];
}
