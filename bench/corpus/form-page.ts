import { type Capture, type CaptureKind, capture } from './camera/capture.ts';
import { conditioned, largeFrame } from './condition.ts';
import { drawNegative } from './documents/negatives/draw-negative.ts';
import type { PageImage } from './drawing/page-image.ts';
import type { Font } from './fonts.ts';
import { drawGuide } from './forms/draw-guide.ts';
import { drawPrescription } from './forms/prescription/draw-prescription.ts';
import { drawnVariation, type Variation } from './forms/prescription/variants/variant.ts';
import { drawScreenGrids } from './forms/screen-grids/draw-screen-grids.ts';
import type { CorpusMaster } from './master.ts';
import type { PageOrder } from './page-order.ts';
import { Random } from './random.ts';
import { FORM_CLASSES, type FormClass, type Size } from './truth.ts';

export type FormOrder = PageOrder & { readonly class: FormClass };

export function isFormOrder(order: PageOrder): order is FormOrder {
  return (FORM_CLASSES as readonly string[]).includes(order.class);
}

/** A page of a class of real paper, and the picture that was taken of it. */
export async function takenForm(
  random: Random,
  order: FormOrder,
  master: CorpusMaster,
  fonts: readonly Font[],
  own: Random,
): Promise<{ page: PageImage } & Capture> {
  const drawnKind = random.weighted(CAPTURES[order.class]);
  const alone = textSize(random, drawnKind);
  const beside = order.class === 'prescription' && variationOf(order).variants.includes('side-by-side');
  const drawnSize = beside ? Math.max(SMALLEST_TEXT, alone * BESIDE) : alone;
  const large = order.condition === 'large' ? await largePhoto(random, order, master, fonts, own) : null;
  const { kind, size, frame } = large ?? { kind: drawnKind, size: drawnSize, frame: undefined };
  const drawn = await drawForm(random, order, master, fonts, kind, size);
  const page = { ...drawn, raster: await conditioned(own, order.condition, drawn.raster, fonts) };
  const thin = kind !== 'screen' && kind !== 'web' && random.chance(kind === 'app' ? 0.5 : 0.12);
  const back =
    thin && order.class === 'prescription' ? await drawBack(random, order, master, fonts, large ? size : 20) : null;
  return { page, ...capture(random, kind, page.raster, back?.raster ?? null, frame) };
}

function drawForm(
  random: Random,
  order: FormOrder,
  master: CorpusMaster,
  fonts: readonly Font[],
  kind: CaptureKind,
  size: number,
): Promise<PageImage> {
  const { split } = order;
  switch (order.class) {
    case 'prescription': {
      const crops = /scan|web/.test(kind);
      return drawPrescription(random, { master, fonts, split, size, crops }, variationOf(order));
    }
    case 'screen-grids':
      return drawScreenGrids(random, master, fonts, split, Math.round(size * 2) / 2);
    case 'guide':
      return drawGuide(random, master, fonts, split, size);
    case 'negative':
      return drawNegative(random, order.index, fonts, split, size);
  }
}

/** Drawn from a separate random sequence, so that a page without variants stays the same. */
function variationOf({ split, seed, index, variant }: FormOrder): Variation {
  return drawnVariation(new Random(`variant ${split} ${seed} ${index}`), variant);
}

function drawBack(
  random: Random,
  { split }: FormOrder,
  master: CorpusMaster,
  fonts: readonly Font[],
  size: number,
): Promise<PageImage> {
  return drawPrescription(random, { master, fonts, split, size, crops: false }, { variants: [], random });
}

/** Pixels of the em with which a page is drawn only to see how large it is. */
const TRIAL_TEXT = 12;
/** Of the picture's sides, that a page fills at most: what it has beyond is lost when it is laid into the picture. */
const MAX_FILL = 0.98;

/** A photo whose page is drawn with as many pixels as the picture has for it: none is made larger afterwards. */
async function largePhoto(
  random: Random,
  order: FormOrder,
  master: CorpusMaster,
  fonts: readonly Font[],
  own: Random,
): Promise<{ kind: CaptureKind; size: number; frame: Size }> {
  const trial = await drawForm(random.copy(), order, master, fonts, 'photo', TRIAL_TEXT);
  const { width, height } = trial.raster;
  const frame = largeFrame(own, trial.raster);
  const scale = MAX_FILL * Math.min(frame.width / width, frame.height / height);
  return { kind: 'photo', size: TRIAL_TEXT * scale, frame };
}

const CAPTURES: Readonly<Record<FormClass, Readonly<Record<CaptureKind, number>>>> = {
  prescription: { photo: 36, app: 18, scan: 24, web: 22, screen: 0 },
  'screen-grids': { photo: 0, app: 0, scan: 0, web: 0, screen: 100 },
  guide: { photo: 68, app: 14, scan: 12, web: 6, screen: 0 },
  negative: { photo: 45, app: 15, scan: 22, web: 18, screen: 0 },
};

/** Scale of two pages in one picture, relative to a single page, in each direction. */
const BESIDE = 0.7;
/** Pixels of the em. */
const SMALLEST_TEXT = 11.5;

/** Pixels of the em: a phone's photo has more of them than a picture from the web. */
function textSize(random: Random, kind: CaptureKind): number {
  const [low, high] = {
    photo: [17, 36] as const,
    app: [17, 30] as const,
    scan: [16, 27] as const,
    web: [SMALLEST_TEXT, 15.5] as const,
    screen: [12, 15] as const,
  }[kind];
  return random.between(low, high);
}
