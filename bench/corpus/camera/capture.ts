import type { Random } from '../random.ts';
import type { Size } from '../truth.ts';
import type { Development } from './develop.ts';
import { IDENTITY } from './homography.ts';
import { photograph, type Shot, scan } from './photo.ts';
import type { Raster } from './raster.ts';
import { crease, curl, fingers, glare, shineThrough, whiten } from './wear.ts';

/**
 * Ways to send paper: a phone's photo, a scanning app's page, an office scanner's, a small picture from the web; or, without paper, a
 * program's window.
 */
export type CaptureKind = 'photo' | 'app' | 'scan' | 'web' | 'screen';

export interface Capture {
  readonly shot: Shot;
  readonly development: Development;
}

const PLAIN: Development = { blurSigma: 0, noise: 0, contrast: 1, gray: false, jpegQuality: null, clockwise: 0 };

/**
 *
 * @param back the print on the other side, if the paper is thin.
 * @param frame a photo's size; absent: as large as the page needs.
 */
export function capture(random: Random, kind: CaptureKind, flat: Raster, back: Raster | null, frame?: Size): Capture {
  if (kind === 'screen') return { shot: still(flat), development: screenDevelopment(random, flat) };
  const page = worn(random, kind, flat, back);
  const { shot, development } = TAKEN[kind](random, page, frame);
  const made = { ...shot.made, shot: kind, worn: page !== flat };
  return { shot: { ...shot, made }, development };
}

function worn(random: Random, kind: Exclude<CaptureKind, 'screen'>, flat: Raster, back: Raster | null): Raster {
  const shares = { photo: 0.55, app: 0.45, scan: 0.1, web: 0.15 };
  let page = back === null ? flat : shineThrough(random, flat, back);
  if (random.chance(shares[kind] * 0.7)) page = crease(random, page);
  if (random.chance(shares[kind])) page = curl(random, page, random.between(0.3, 1));
  if (kind === 'photo' && random.chance(0.15)) page = glare(random, page);
  return page;
}

type Taking = (random: Random, page: Raster, frame?: Size) => Capture;

const TAKEN: Readonly<Record<Exclude<CaptureKind, 'screen'>, Taking>> = {
  photo(random, page, frame) {
    const tiltDegrees = random.chance(0.25) ? random.between(-15, 15) : random.between(-2, 2);
    const shot = photograph(
      random,
      page,
      frame ? { closeShare: 0, tiltDegrees, frame } : { closeShare: 0.4, tiltDegrees },
    );
    const raster = random.chance(0.12) ? fingers(random, shot.raster) : shot.raster;
    const turned = random.chance(0.3);
    const tagged = turned && random.chance(0.5);
    const quarter = random.pick([90, 180, 270] as const);
    return {
      shot: { ...shot, raster, made: { ...shot.made, tiltDegrees: Math.round(tiltDegrees * 10) / 10, tagged } },
      development: {
        ...PLAIN,
        blurSigma: random.between(0.3, 1),
        noise: random.between(2, 7),
        contrast: random.between(0.75, 1),
        jpegQuality: random.int(55, 88),
        clockwise: turned ? quarter : 0,
        tagged,
      },
    };
  },
  app(random, page) {
    const shot = photograph(random, page, { closeShare: 1, tiltDegrees: random.between(-1, 1) });
    return {
      shot: { ...shot, raster: whiten(random, shot.raster), edgesVisible: false },
      development: {
        ...PLAIN,
        blurSigma: random.between(0.3, 0.8),
        noise: random.between(0, 3),
        gray: random.chance(0.3),
        jpegQuality: random.int(50, 85),
        sharpening: random.between(1.5, 5),
      },
    };
  },
  scan(random, page) {
    return {
      shot: scan(random, page, 2.5),
      development: {
        ...PLAIN,
        blurSigma: random.between(0, 0.75),
        noise: random.between(0, 6),
        contrast: random.between(0.8, 1),
        gray: random.chance(0.35),
        jpegQuality: random.int(45, 85),
        clockwise: random.chance(0.12) ? random.pick([90, 180, 270]) : 0,
      },
    };
  },
  web(random, page) {
    return {
      shot: scan(random, page, 1.2),
      development: {
        ...PLAIN,
        blurSigma: random.between(0, 0.5),
        noise: random.between(0, 3),
        contrast: random.between(0.75, 1),
        gray: random.chance(0.15),
        jpegQuality: random.chance(0.15) ? null : random.int(40, 80),
        ...(random.chance(0.4) ? { sharpening: random.between(0.8, 3) } : {}),
      },
    };
  },
};

/** A picture of a window: as it is, or as manuals and web pages made it smaller and compressed it. */
function screenDevelopment(random: Random, { width }: Raster): Development {
  const jpegQuality = random.chance(0.3) ? random.int(60, 90) : null;
  return random.chance(0.18)
    ? { ...PLAIN, jpegQuality, width: Math.round(width * random.between(0.8, 0.95)) }
    : { ...PLAIN, jpegQuality };
}

export function still(raster: Raster): Shot {
  return { raster, pageToImage: IDENTITY, edgesVisible: false, made: { shot: 'none' } };
}
