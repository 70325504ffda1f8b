import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage } from '../../../../functions/adapters/codecs/decode-image.ts';
import { ImageRefused } from '../../../../functions/extraction/domain/reading/image-refused.ts';
import type { Raster } from '../../../../functions/extraction/domain/reading/raster.ts';
import { bmp, nestedFormsPdf, pdf } from '../../../helpers/files.ts';

const WIDTH = 300;
const HEIGHT = 200;

/** White paper with a black square around (50, 50) and a gray one around (130, 50). */
function picture(background = '#fff'): Sharp {
  const paper = background === 'none' ? '' : `<rect width="${WIDTH}" height="${HEIGHT}" fill="${background}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${paper}
    <rect x="20" y="20" width="60" height="60" fill="#000"/><rect x="100" y="20" width="60" height="60" fill="#808080"/></svg>`;
  const image = sharp(Buffer.from(svg));
  return background === 'none' ? image : image.flatten();
}

const level = ({ width, pixels }: Raster, x: number, y: number) => pixels[y * width + x]!;

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const error = await decodeImage(bytes).then(
    () => expect.fail('It was decoded.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ImageRefused);
  return (error as ImageRefused).refusal;
}

describe('images decoded to the same gray picture', () => {
  const forms: Record<string, () => Promise<Buffer>> = {
    PNG: () => picture().png().toBuffer(),
    'PNG with 16 bits': () => picture().toColourspace('rgb16').png().toBuffer(),
    'gray PNG with 16 bits': () => picture().toColourspace('grey16').png().toBuffer(),
    'PNG with a palette': () => picture().png({ palette: true }).toBuffer(),
    'PNG, interlaced': () => picture().png({ progressive: true }).toBuffer(),
    JPEG: () => picture().jpeg().toBuffer(),
    'JPEG, progressive': () => picture().jpeg({ progressive: true }).toBuffer(),
    'JPEG in CMYK': () => picture().toColourspace('cmyk').jpeg().toBuffer(),
    'JPEG with something behind it': async () =>
      Buffer.concat([await picture().jpeg().toBuffer(), Buffer.from('more')]),
    WebP: () => picture().webp().toBuffer(),
    TIFF: () => picture().tiff().toBuffer(),
    'TIFF with 16 bits': () => picture().toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer(),
  };
  it.each(Object.keys(forms))('%s', async (name) => {
    const { raster, source, pageCount } = await decodeImage(await forms[name]!());
    expect({ source, pageCount, width: raster.width, height: raster.height }).toEqual({
      source: { width: WIDTH, height: HEIGHT },
      pageCount: 1,
      width: WIDTH,
      height: HEIGHT,
    });
    expect(raster.pixels).toHaveLength(WIDTH * HEIGHT);
    expect(level(raster, 5, 5)).toBeGreaterThan(250);
    expect(level(raster, 50, 50)).toBeLessThan(10);
    expect(Math.abs(level(raster, 130, 50) - 128)).toBeLessThan(16);
  });

  it('fax TIFF, which knows black and white only', async () => {
    const fax = await picture()
      .threshold(64)
      .toColourspace('b-w')
      .tiff({ bitdepth: 1, compression: 'ccittfax4' })
      .toBuffer();
    const { raster } = await decodeImage(fax);
    expect([level(raster, 5, 5), level(raster, 50, 50), level(raster, 130, 50)]).toEqual([255, 0, 255]);
  });

  it('transparent ground, which is paper', async () => {
    const { raster } = await decodeImage(await picture('none').png().toBuffer());
    expect([level(raster, 5, 5), level(raster, 50, 50)]).toEqual([255, 0]);
  });

  it('a picture with an orientation tag, as it is stored', async () => {
    const tagged = await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await decodeImage(tagged)).source).toEqual({ width: WIDTH, height: HEIGHT });
  });
});

describe('BMP', () => {
  const rows = [
    [0, 255, 255, 0, 255],
    [255, 255, 0, 0, 0],
    [0, 0, 0, 255, 255],
  ];
  it.each([1, 4, 8, 24, 32] as const)('with %i bits a pixel, both ways up', async (bits) => {
    for (const topDown of [false, true]) {
      const { raster, source } = await decodeImage(bmp(rows, { bits, topDown }));
      expect(source).toEqual({ width: 5, height: 3 });
      expect([...raster.pixels]).toEqual(rows.flat());
    }
  });

  it('keeps gray levels of a palette', async () => {
    const levels = [[0, 17, 85, 136, 255]];
    for (const bits of [4, 8] as const)
      expect([...(await decodeImage(bmp(levels, { bits }))).raster.pixels]).toEqual(levels[0]);
  });

  it('is refused when it is compressed, cut off or has no size', async () => {
    const good = bmp(rows, { bits: 24 });
    expect(await refusalOf(bmp(rows, { bits: 8, compression: 1 }))).toBe('unreadable_image');
    expect(await refusalOf(good.subarray(0, good.length - 1))).toBe('unreadable_image');
    expect(await refusalOf(good.subarray(0, 40))).toBe('unreadable_image');
    const flat = Buffer.from(good);
    flat.writeInt32LE(0, 22);
    expect(await refusalOf(flat)).toBe('unreadable_image');
  });

  it('that claims more pixels than are allowed is refused for its size', async () => {
    const huge = bmp(rows, { bits: 24 });
    huge.writeInt32LE(50_000, 18);
    huge.writeInt32LE(50_000, 22);
    expect(await refusalOf(huge)).toBe('image_too_large');
  });
});

describe('PDF', () => {
  it('is rendered at 200 dots an inch, on white', async () => {
    const { raster, source, pageCount } = await decodeImage(pdf([{ width: 360, height: 720 }]));
    expect({ source, pageCount }).toEqual({ source: { width: 1000, height: 2000 }, pageCount: 1 });
    expect([level(raster, 100, 100), level(raster, 300, 100), level(raster, 100, 300)]).toEqual([0, 255, 255]);
  });

  it('gives its first page and reports that there are more', async () => {
    const { source, pageCount } = await decodeImage(
      pdf([
        { width: 360, height: 720 },
        { width: 720, height: 360 },
        { width: 72, height: 72 },
      ]),
    );
    expect({ source, pageCount }).toEqual({ source: { width: 1000, height: 2000 }, pageCount: 3 });
  });

  it('of a scanner that wrote a dot as a point is rendered no larger than is worked with', async () => {
    const { raster, source } = await decodeImage(pdf([{ width: 2480, height: 3508 }]));
    expect(source).toEqual({ width: raster.width, height: raster.height });
    expect(raster.width * raster.height).toBeLessThan(7_100_000);
    expect(raster.width / raster.height).toBeCloseTo(2480 / 3508, 2);
  });

  it('is refused when it is damaged or has no page', async () => {
    expect(await refusalOf(Buffer.from('%PDF-1.7\nnothing of a PDF follows'))).toBe('unreadable_image');
    expect(await refusalOf(pdf([]))).toBe('unreadable_image');
  });

  it('that aborts PDFium is refused alone: the next ones find it whole', async () => {
    const good = pdf([{ width: 360, height: 720 }]);
    const { raster: before } = await decodeImage(good);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(decodeImage(nestedFormsPdf(7))).rejects.toThrow(/more than 512 MB of memory/);
      expect((await decodeImage(good)).raster).toEqual(before);
    }
  });
});

describe('several pages in a picture', () => {
  const page = (background: string) =>
    sharp({ create: { width: 30, height: 20, channels: 3, background } })
      .png()
      .toBuffer();
  const pages = async () => sharp([await page('#fff'), await page('#000')], { join: { animated: true } });

  it('TIFF: the first is read, and all are counted', async () => {
    const tiff = await (await pages()).tiff().toBuffer();
    const second = await decodeImage(tiff, 2);
    expect(second.pageCount).toBe(1);
    expect(level(second.raster, 5, 5)).not.toBe(level((await decodeImage(tiff, 1)).raster, 5, 5));
    await expect(decodeImage(tiff, 3)).rejects.toMatchObject({ refusal: 'page_missing' });
    const { raster, pageCount } = await decodeImage(tiff);
    expect({ pageCount, height: raster.height, level: level(raster, 5, 5) }).toEqual({
      pageCount: 2,
      height: 20,
      level: 255,
    });
  });

  it('an animation is a picture that moves: its first frame is read', async () => {
    const animated = await (await pages()).webp().toBuffer();
    const { raster, pageCount } = await decodeImage(animated);
    expect({ pageCount, height: raster.height, level: level(raster, 5, 5) }).toEqual({
      pageCount: 1,
      height: 20,
      level: 255,
    });
  });
});

describe('refused images', () => {
  it.each(['jpeg', 'png', 'webp', 'tiff'] as const)('%s that is cut off at any place', async (format) => {
    const whole = await picture().toFormat(format).toBuffer();
    for (const share of [0.3, 0.7, 0.98])
      expect(await refusalOf(whole.subarray(0, Math.floor(whole.length * share)))).toBe('unreadable_image');
  });

  it('a header without a picture', async () => {
    expect(await refusalOf(Buffer.from('89504e470d0a1a0a', 'hex'))).toBe('unreadable_image');
    expect(await refusalOf(Buffer.from('ffd8ff', 'hex'))).toBe('unreadable_image');
  });

  it('content of another type, under any name', async () => {
    const gif = await picture().gif().toBuffer();
    for (const bytes of [Buffer.from('a text named .png'), Buffer.from('<svg/>'), gif, new Uint8Array()])
      expect(await refusalOf(bytes)).toBe('unsupported_media_type');
  });

  it('more than 18 MB', async () => {
    expect(await refusalOf(new Uint8Array(18 * 1024 * 1024 + 1))).toBe('image_too_large');
  });

  it('a small file that unpacks to more than 100 megapixels, by its header alone', async () => {
    const bomb = await sharp({
      create: { width: 12_000, height: 12_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    // What follows the header is gone: it cannot have been looked at.
    expect(await refusalOf(bomb.subarray(0, 4096))).toBe('image_too_large');
  });
});

describe('sizes', () => {
  it('are kept while there is nothing to gain', async () => {
    const tall = await sharp({ create: { width: 500, height: 8000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { raster } = await decodeImage(tall);
    expect([raster.width, raster.height]).toEqual([500, 8000]);
  });

  it('are reduced to about 7 megapixels, and the source keeps its own', async () => {
    const large = await sharp({ create: { width: 6000, height: 4000, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();
    const { raster, source } = await decodeImage(large);
    expect(source).toEqual({ width: 6000, height: 4000 });
    expect(raster.width * raster.height).toBeLessThan(7_100_000);
    expect(raster.width / raster.height).toBeCloseTo(1.5, 2);
  });

  it('of a single pixel are decoded: whether it can be read is another question', async () => {
    const { raster } = await decodeImage(
      await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    );
    expect(raster.pixels).toEqual(new Uint8Array([255]));
  });
});
