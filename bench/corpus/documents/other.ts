import type { PageImage } from '../drawing/page-image.ts';
import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { Split } from '../truth.ts';
import { drawBlank, drawLandscape, drawLetter, drawRegistration } from './papers.ts';
import { drawCardSlip, drawClinicReceipt, drawReceipt } from './receipts.ts';

const KINDS = [
  'receipt',
  'registration',
  'letter',
  'clinic-receipt',
  'registration',
  'landscape',
  'card-slip',
  'blank',
] as const;

/** Pages that hold no drug table; the kinds take turns, so that every part of the class has them all. */
export function drawOther(random: Random, index: number, fonts: readonly Font[], split: Split): Promise<PageImage> {
  const kind = KINDS[index % KINDS.length]!;
  const font = random.pick(fonts);
  switch (kind) {
    case 'receipt':
      return drawReceipt(random, font, split);
    case 'clinic-receipt':
      return drawClinicReceipt(random, font, split);
    case 'card-slip':
      return drawCardSlip(random, font, split);
    case 'registration':
      return drawRegistration(random, font, split);
    case 'letter':
      return drawLetter(random, font, split);
    case 'landscape':
      return drawLandscape(random);
    case 'blank':
      return drawBlank(random);
  }
}
