import { type Capture, type CaptureKind, capture } from './camera/capture.ts';
import { conditioned } from './condition.ts';
import { drawNegative } from './documents/negatives/draw-negative.ts';
import type { PageImage } from './drawing/page-image.ts';
import type { Font } from './fonts.ts';
import { drawGuide } from './forms/draw-guide.ts';
import { drawPrescription } from './forms/prescription/draw-prescription.ts';
import { drawScreenGrids } from './forms/screen-grids/draw-screen-grids.ts';
import type { CorpusMaster } from './master.ts';
import type { PageOrder } from './page.ts';
import type { Random } from './random.ts';
import { FORM_CLASSES, type FormClass } from './truth.ts';

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
  const { split } = order;
  const kind = random.weighted(CAPTURES[order.class]);
  const size = textSize(random, kind);
  const drawn = await drawForm();
  const page = { ...drawn, raster: await conditioned(own, order.condition, drawn.raster, fonts) };
  const thin = kind !== 'screen' && kind !== 'web' && random.chance(kind === 'app' ? 0.5 : 0.12);
  const back =
    thin && order.class === 'prescription' ? await drawPrescription(random, master, fonts, split, 20, false) : null;
  return { page, ...capture(random, kind, page.raster, back?.raster ?? null) };

  function drawForm(): Promise<PageImage> {
    switch (order.class) {
      case 'prescription':
        return drawPrescription(random, master, fonts, split, size, /scan|web/.test(kind));
      case 'screen-grids':
        return drawScreenGrids(random, master, fonts, split, Math.round(size * 2) / 2);
      case 'guide':
        return drawGuide(random, master, fonts, split, size);
      case 'negative':
        return drawNegative(random, order.index, fonts, split, size);
    }
  }
}

const CAPTURES: Readonly<Record<FormClass, Readonly<Record<CaptureKind, number>>>> = {
  prescription: { photo: 36, app: 18, scan: 24, web: 22, screen: 0 },
  'screen-grids': { photo: 0, app: 0, scan: 0, web: 0, screen: 100 },
  guide: { photo: 68, app: 14, scan: 12, web: 6, screen: 0 },
  negative: { photo: 45, app: 15, scan: 22, web: 18, screen: 0 },
};

/** Pixels of the em: a phone's photo has more of them than a picture from the web. */
function textSize(random: Random, kind: CaptureKind): number {
  const [low, high] = {
    photo: [17, 36] as const,
    app: [17, 30] as const,
    scan: [16, 27] as const,
    web: [11.5, 15.5] as const,
    screen: [12, 15] as const,
  }[kind];
  return random.between(low, high);
}
