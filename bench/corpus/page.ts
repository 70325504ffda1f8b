import { type Development, develop } from './camera/develop.ts';
import { compose, type Homography, IDENTITY, quarterTurn } from './camera/homography.ts';
import { photograph, quadOf, type Shot, scan } from './camera/photo.ts';
import { conditioned, conditionedDevelopment } from './condition.ts';
import { cutBottom } from './cut.ts';
import { drawOther } from './documents/other.ts';
import type { PageImage } from './drawing/page-image.ts';
import { drawPaper } from './drawing/paper.ts';
import { drawWindow } from './drawing/window.ts';
import { type Font, suitsScreens } from './fonts.ts';
import { isFormOrder, takenForm } from './form-page.ts';
import type { CorpusMaster } from './master.ts';
import type { PageOrder } from './page-order.ts';
import { Random } from './random.ts';
import { composeSheet } from './sheet/sheet.ts';
import type { PageTruth, Rotation, SheetClass } from './truth.ts';

export interface RenderedPage {
  readonly bytes: Uint8Array;
  readonly truth: PageTruth;
}

export function pageId(order: PageOrder): string {
  return `${order.class}-${String(order.index).padStart(3, '0')}`;
}

/** Renders one page: its content, its print, its picture. Depends on nothing but the order and the installed fonts. */
export async function renderPage(
  order: PageOrder,
  master: CorpusMaster,
  fonts: readonly Font[],
): Promise<RenderedPage> {
  const random = new Random(`page ${order.split} ${order.class} ${order.seed} ${order.index}`);
  // A separate sequence, so that a page differs from the one without the condition in nothing else.
  const own = new Random(`condition ${order.split} ${order.class} ${order.seed} ${order.index}`);
  const {
    page,
    shot,
    development: wanted,
  } = isFormOrder(order)
    ? await takenForm(random, order, master, fonts, own)
    : await takenSheet(random, order as SheetOrder, master, fonts, own);
  const development = conditionedDevelopment(own, order.condition, wanted);
  const image = await develop(random, shot.raster, development);
  const pageToImage = developed(shot, development);
  const id = pageId(order);
  const truth: PageTruth = {
    id,
    split: order.split,
    class: order.class,
    seed: order.seed,
    image: { file: `${id}.${image.extension}`, width: image.width, height: image.height },
    made: {
      ...(master.names === 'real' ? { names: 'real' } : {}),
      ...(order.condition ? { condition: order.condition } : {}),
      ...page.made,
      ...shot.made,
      // A condition may have changed it.
      ...(development.tagged === undefined ? {} : { tagged: development.tagged }),
      jpegQuality: development.jpegQuality ?? 0,
    },
    documentType: page.documentType,
    foundTable: page.table !== null,
    geometry: {
      rotation: development.clockwise as Rotation,
      page: { width: page.raster.width, height: page.raster.height },
      pageToImage,
      quad: quadOf(page.raster, pageToImage),
      edgesVisible: shot.edgesVisible,
    },
    table: page.table,
    ...(page.texts ? { texts: page.texts } : {}),
  };
  return { bytes: image.bytes, truth };
}

type SheetOrder = PageOrder & { readonly class: SheetClass };

async function takenSheet(
  random: Random,
  order: SheetOrder,
  master: CorpusMaster,
  fonts: readonly Font[],
  own: Random,
) {
  const flat = await flatPage(random, order, master, fonts);
  const page = { ...flat, raster: await conditioned(own, order.condition, flat.raster, fonts) };
  const shot = shoot(random, order.class, page);
  return { page, shot, development: developmentOf(random, order.class, page) };
}

/** From the flat page's pixels to the picture's: made smaller after it was taken, and turned. */
function developed({ raster, pageToImage }: Shot, { width, clockwise }: Development): Homography {
  const scale = (width ?? raster.width) / raster.width;
  const scaled = scale === 1 ? pageToImage : compose([scale, 0, 0, 0, scale, 0, 0, 0, 1], pageToImage);
  return compose(quarterTurn(clockwise, raster.width * scale, raster.height * scale), scaled);
}

const TEXT_PX: Readonly<Record<Exclude<SheetClass, 'other'>, readonly [number, number]>> = {
  screen: [12, 16],
  scan: [19, 27],
  photo: [24, 34],
  hard: [17, 24],
};

async function flatPage(
  random: Random,
  order: SheetOrder,
  master: CorpusMaster,
  fonts: readonly Font[],
): Promise<PageImage> {
  if (order.class === 'other') return drawOther(random, order.index, fonts, order.split);
  const [smallest, largest] = TEXT_PX[order.class];
  const size = order.class === 'screen' ? random.int(smallest, largest) : random.between(smallest, largest);
  const sheet = composeSheet(random, master, order.split, order.class, rowCount(random));
  const made = {
    layout: sheet.layout.id,
    rows: sheet.lines.filter(({ type }) => type === 'drug').length,
    faulty: sheet.faulty,
  };
  if (order.class === 'screen') {
    const page = await drawWindow(random, sheet, random.pick(fonts.filter(suitsScreens)), size, order.split);
    const seen = random.chance(0.07) ? cutBottom(random, page) : page;
    return { ...seen, made: { ...made, ...seen.made } };
  }
  const body = random.pick(fonts);
  const title = random.chance(0.7) ? body : random.pick(fonts);
  const page = await drawPaper(random, sheet, { body, title }, size, order.class, order.split);
  return { ...page, made: { ...made, ...page.made } };
}

/** 4 to 40 rows; 20 and 40, which the speed bars speak of, come often. */
function rowCount(random: Random): number {
  const kind = random.weighted({ few: 22, some: 34, twenty: 14, many: 20, forty: 10 });
  return { few: random.int(4, 8), some: random.int(9, 19), twenty: 20, many: random.int(21, 39), forty: 40 }[kind];
}

function shoot(random: Random, pageClass: SheetClass, page: PageImage): Shot {
  const { raster } = page;
  const flat: Shot = { raster, pageToImage: IDENTITY, edgesVisible: false, made: { shot: 'none' } };
  const wanted = {
    screen: 'none',
    scan: 'scan',
    photo: 'photo',
    hard: random.pick(['scan', 'photo']),
    other: otherShot(random, page),
  }[pageClass];
  if (wanted === 'scan') return named(scan(random, raster, 3), 'scan');
  if (wanted === 'photo') return named(photograph(random, raster), 'photo');
  return flat;
}

function otherShot(random: Random, page: PageImage): string {
  return page.made.bare === true ? 'none' : random.pick(['scan', 'photo']);
}

function named(shot: Shot, name: string): Shot {
  return { ...shot, made: { ...shot.made, shot: name } };
}

function developmentOf(random: Random, pageClass: SheetClass, page: PageImage): Development {
  const turned = (share: number) => (random.chance(share) ? random.pick([90, 180, 270]) : 0);
  const plain: Development = { blurSigma: 0, noise: 0, contrast: 1, gray: false, jpegQuality: null, clockwise: 0 };
  switch (pageClass) {
    case 'screen':
      return plain;
    case 'scan':
      return {
        blurSigma: random.between(0, 0.75),
        noise: random.between(1, 7),
        contrast: random.between(0.85, 1),
        gray: random.chance(0.6),
        jpegQuality: random.int(60, 85),
        clockwise: turned(0.2),
      };
    case 'photo':
      return {
        blurSigma: random.between(0.3, 0.95),
        noise: random.between(2, 7),
        contrast: random.between(0.88, 1),
        gray: false,
        jpegQuality: random.int(70, 88),
        clockwise: turned(0.25),
      };
    case 'hard':
      return {
        blurSigma: random.between(0.7, 1.35),
        noise: random.between(3, 9),
        contrast: random.between(0.5, 0.8),
        gray: random.chance(0.4),
        jpegQuality: random.int(35, 55),
        clockwise: turned(0.2),
      };
    case 'other':
      return page.made.bare === true
        ? plain
        : {
            ...plain,
            blurSigma: random.between(0, 0.8),
            noise: random.between(1, 6),
            jpegQuality: random.int(60, 88),
            clockwise: turned(0.1),
          };
  }
}
