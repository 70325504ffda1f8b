import { type Capture, type CaptureKind, capture } from './camera/capture.ts';
import type { Raster } from './camera/raster.ts';
import type { PageImage } from './drawing/page-image.ts';
import type { Font } from './fonts.ts';
import { drawPrescription } from './forms/draw-prescription.ts';
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
): Promise<{ page: PageImage } & Capture> {
  const kind = random.weighted<CaptureKind>({ photo: 36, app: 18, scan: 24, web: 22, screen: 0 });
  const page = await drawPrescription(
    random,
    master,
    fonts,
    order.split,
    textSize(random, kind),
    /scan|web/.test(kind),
  );
  const back = kind !== 'web' && random.chance(kind === 'app' ? 0.5 : 0.12) ? await backSide(random) : null;
  return { page, ...capture(random, kind, page.raster, back) };

  async function backSide(of: Random): Promise<Raster> {
    return (await drawPrescription(of, master, fonts, order.split, 20, false)).raster;
  }
}

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
