import type { DecodedImage } from '../decoded-image.ts';
import type { Geometry, Point, Quad, Size } from '../geometry.ts';
import type { PageModels } from '../page-models.ts';
import type { Raster } from '../raster.ts';
import { findPrint } from '../structure/find-print.ts';
import { findStructure, type PageStructure, structureOf } from '../structure/find-tables.ts';
import type { LayoutFinder } from '../structure/layout.ts';
import type { ImageIssue, ImageQuality } from '../table-reader.ts';
import { darkScreenIn, withoutDarkScreen, withoutDarkTheme } from './dark-theme.ts';
import { detectDocumentQuad } from './detect-document-quad.ts';
import { flatten } from './flatten.ts';
import { followRule } from './follow-rule.ts';
import { project, rectangleToQuad } from './homography.ts';
import { measureQuality } from './image-quality.ts';
import { withoutOtherSide } from './other-side.ts';
import { describeGeometry, mapQuad, toSource } from './page-geometry.ts';
import { turnQuad, turnRaster } from './quarter-turn.ts';
import { findSkew } from './skew.ts';
import { LEAST_GRAIN, smoothGrain } from './smooth-grain.ts';
import { findUpright } from './upright.ts';
import { warpQuad } from './warp.ts';

export interface PreparedPage {
  /** Upright, flat, cropped to the sheet where one was found. */
  readonly page: Raster;
  /** The structure found on it; null if it is too little for a text, or the picture is illegible. */
  readonly structure: PageStructure | null;
  readonly geometry: Geometry;
  readonly image: ImageQuality;
  /** Corners of the page in the upload; those of a page that was turned by a few degrees may be outside it. */
  readonly corners: Quad;
}

/** Skew below this moves no letter out of its line. */
const MIN_SKEW_DEGREES = 0.08;
/**
 * Height of letters, pixels. Below `from`, a rule one pixel wide is as thick as their strokes, and removing it removes digits: such print is
 * enlarged to `to` before it is read, as far as the page keeps below `maxPixels`.
 */
const SMALL_PRINT = { from: 9, to: 12, maxPixels: 12_000_000 };
/** Height of letters, pixels, below which digits are confused: for sharp print drawn by a program, and for print on paper. */
const MIN_PRINT = { drawn: 6, paper: 9 };
/** Places of one table: sixty rows of twenty-five columns are 1,500. */
const MAX_CELLS = 8_000;
/** On strongly curled paper few rules are seen at first: more each time that it is flatter. */
const MAX_FLATTENINGS = 3;

/**
 * From a picture to a page that can be read line by line: cropped to its sheet, pulled straight, turned upright, flattened.
 */
export async function preparePage(decoded: DecodedImage, models: PageModels): Promise<PreparedPage> {
  const { source, pageCount } = decoded;
  const { mirrored, turn: taggedTurn } = decoded.orientation;
  const picture = withoutDarkTheme(decoded.raster);
  const quality = measureQuality(picture);
  const image = pageCount > 1 ? withIssue(quality, 'multiple_pages') : quality;
  if (!quality.readable)
    return {
      page: picture,
      structure: null,
      geometry: describeGeometry(source, taggedTurn, null, mirrored),
      image,
      corners: cornersOf(source),
    };

  const raster = smoothGrain(picture);
  const rough = await prepareRaster(raster, decoded, models);
  const smooth = raster === picture && isGrain(rough.structure) ? smoothGrain(picture, LEAST_GRAIN) : raster;
  const { letterHeight, ...prepared } = smooth === raster ? rough : await prepareRaster(smooth, decoded, models);
  const isSmall = letterHeight !== null && letterHeight < (quality.drawn ? MIN_PRINT.drawn : MIN_PRINT.paper);
  return { ...prepared, image: isSmall ? withIssue(image, 'low_resolution') : image };
}

function withIssue(image: ImageQuality, issue: ImageIssue): ImageQuality {
  return { ...image, issues: [...image.issues, issue] };
}

/** Whether more rows and columns were found than a page has: grain that lies in lines by chance was taken for print and rules. */
function isGrain(structure: PageStructure | null): boolean {
  return (structure?.tables ?? []).some(({ rowCount, columnCount }) => rowCount * columnCount > MAX_CELLS);
}

async function prepareRaster(
  raster: Raster,
  { source, orientation }: DecodedImage,
  models: PageModels,
): Promise<Omit<PreparedPage, 'image'> & { readonly letterHeight: number | null }> {
  const { recogniser, layouts } = models;
  const { mirrored, turn: taggedTurn } = orientation;
  // The sheet first: the grain of a desk around it would be taken for letters.
  const found = detectDocumentQuad(raster) ?? darkScreenIn(raster);
  const flat = found ? withoutDarkScreen(straighten(raster, found.corners)) : raster;
  const skew = findSkew(flat);
  const isStraight = Math.abs(skew) < MIN_SKEW_DEGREES;
  const straight = isStraight ? flat : deskew(flat, skew);
  const { turn: rotation, print: turnedPrint } = await findUpright(straight, recogniser, taggedTurn);
  const crop = found && {
    corners: scaleQuad(turnQuad(found.corners, raster, rotation), source.width / raster.width),
    score: found.score,
  };
  const geometry = describeGeometry(source, rotation, crop, mirrored);
  const ofFlat = isStraight ? cornersOf(flat) : skewedCorners(flat, skew);
  const ofRaster = found ? mapQuad(ofFlat, throughQuad(flat, found.corners)) : ofFlat;
  const corners = toSource(scaleQuad(turnQuad(ofRaster, raster, rotation), source.width / raster.width), geometry);
  const turned = turnRaster(straight, rotation);
  const seen = turnedPrint ?? findPrint(turned);
  if (seen === null) return { page: turned, structure: null, geometry, corners, letterHeight: null };
  const upright = withLargePrint(turned, seen.letterHeight);
  const print = upright === turned ? seen : findPrint(upright);
  const own = await ownSide({ page: upright, structure: print && (await structureOf(print, layouts)) }, models);
  return { ...(await flattened(own, layouts)), geometry, corners, letterHeight: seen.letterHeight };
}

type Found = Pick<PreparedPage, 'page' | 'structure'>;

/** The page without print that shines through from the other side. */
async function ownSide({ page, structure }: Found, { recogniser, layouts }: PageModels): Promise<Found> {
  const lightened = structure && (await withoutOtherSide(page, structure, recogniser));
  return lightened ? { page: lightened, structure: await findStructure(lightened, layouts) } : { page, structure };
}

/** The page as flat as its rules let it be: once it is flatter, they are seen better. */
async function flattened(upright: Found, layouts: LayoutFinder): Promise<Found> {
  let { page, structure } = upright;
  for (let round = 0; structure !== null && round < MAX_FLATTENINGS; round++) {
    const { ruled, letterHeight } = structure;
    const rules = ruled.rows.map((rule) => followRule(rule, ruled.page, letterHeight));
    const flatter = flatten(page, rules, letterHeight);
    if (flatter === null) break;
    [page, structure] = [flatter, await findStructure(flatter, layouts)];
  }
  return { page, structure };
}

function straighten(picture: Raster, quad: Quad): Raster {
  const [a, b, c, d] = quad;
  const width = Math.round(Math.max(distance(a, b), distance(d, c)));
  const height = Math.round(Math.max(distance(a, d), distance(b, c)));
  return warpQuad(picture, quad, width, height);
}

function withLargePrint(page: Raster, letterHeight: number): Raster {
  const { from, to, maxPixels } = SMALL_PRINT;
  const { width, height } = page;
  const factor = Math.min(to / letterHeight, Math.sqrt(maxPixels / (width * height)));
  if (letterHeight >= from || factor <= 1) return page;
  return warpQuad(page, cornersOf(page), Math.round(factor * width), Math.round(factor * height));
}

/** Turns by a small angle; the page grows so that no corner is lost. */
function deskew(page: Raster, degrees: number): Raster {
  const { width, height } = deskewedSize(page, degrees);
  return warpQuad(page, skewedCorners(page, degrees), width, height);
}

function deskewedSize(page: Size, degrees: number): Size {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.abs(Math.sin(radians))];
  return {
    width: Math.round(page.width * cos + page.height * sin),
    height: Math.round(page.height * cos + page.width * sin),
  };
}

/** Corners of a page that was turned by a small angle, in the page before that. */
function skewedCorners(page: Size, degrees: number): Quad {
  const radians = (degrees * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const { width, height } = deskewedSize(page, degrees);
  const place = (x: number, y: number): Point => ({
    x: page.width / 2 + (x - width / 2) * cos - (y - height / 2) * sin,
    y: page.height / 2 + (x - width / 2) * sin + (y - height / 2) * cos,
  });
  return [place(0, 0), place(width, 0), place(width, height), place(0, height)];
}

function cornersOf({ width, height }: Size): Quad {
  return [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
}

/** From a page to the picture that it was taken out of. */
function throughQuad({ width, height }: Size, quad: Quad): (point: Point) => Point {
  const map = rectangleToQuad(width, height, quad);
  return (point) => project(map, point);
}

function scaleQuad([a, b, c, d]: Quad, scale: number): Quad {
  const grow = ({ x, y }: Point) => ({ x: x * scale, y: y * scale });
  return [grow(a), grow(b), grow(c), grow(d)];
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
