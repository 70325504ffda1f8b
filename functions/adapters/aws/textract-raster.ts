import type { Crop, Geometry, Point, Quad, Rect, Rotation, Size } from '../../extraction/domain/reading/geometry.ts';
import type { LineImage } from '../../extraction/domain/reading/line-recogniser.ts';
import type { Box } from '../../extraction/domain/reading/table-reader.ts';

/** How much darker than its surroundings ink is, in gray levels. */
const INK_CONTRAST = 60;
/** Fewer dark pixels than this are dirt. */
const MIN_INK_PIXELS = 6;
/** Ruled lines stand at the edge of a cell; looking for ink spares this share of its height. */
const EDGE_SHARE = 0.12;

/** The part of a page inside a box, clipped to the page; at least one pixel. */
export function cropRaster(page: LineImage, box: Box): LineImage {
  const left = clamp(Math.floor(box.x), 0, page.width - 1);
  const top = clamp(Math.floor(box.y), 0, page.height - 1);
  const width = clamp(Math.ceil(box.x + box.width) - left, 1, page.width - left);
  const height = clamp(Math.ceil(box.y + box.height) - top, 1, page.height - top);
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const start = (top + row) * page.width + left;
    pixels.set(page.pixels.subarray(start, start + width), row * width);
  }
  return { width, height, pixels };
}

/** Whether a cell holds more than paper and its own border. */
export function hasInk(page: LineImage, box: Box): boolean {
  const margin = Math.max(2, Math.min(box.width, box.height) * EDGE_SHARE);
  const inner = {
    x: box.x + margin,
    y: box.y + margin,
    width: box.width - 2 * margin,
    height: box.height - 2 * margin,
  };
  if (inner.width < 2 || inner.height < 2) return false;
  const { pixels } = cropRaster(page, inner);
  const paper = Uint8Array.from(pixels).sort()[Math.floor(pixels.length * 0.8)]!;
  let dark = 0;
  for (const pixel of pixels) if (paper - pixel >= INK_CONTRAST) dark++;
  return dark >= MIN_INK_PIXELS;
}

/** Turns a page counter-clockwise. */
export function turnRaster(page: LineImage, turn: Rotation): LineImage {
  if (turn === 0) return page;
  const size = turnSize(page, turn);
  const pixels = new Uint8Array(page.pixels.length);
  for (let y = 0; y < page.height; y++)
    for (let x = 0; x < page.width; x++) {
      const target = turnPoint({ x, y }, { width: page.width - 1, height: page.height - 1 }, turn);
      pixels[target.y * size.width + target.x] = page.pixels[y * page.width + x]!;
    }
  return { ...size, pixels };
}

/** The geometry of a page that was turned once more, counter-clockwise, after its preparation. */
export function turnGeometry(geometry: Geometry, turn: Rotation): Geometry {
  if (turn === 0) return geometry;
  return {
    rotation: ((geometry.rotation + turn) % 360) as Rotation,
    source: geometry.source,
    oriented: turnSize(geometry.oriented, turn),
    crop: geometry.crop && turnCrop(geometry.crop, geometry.oriented, turn),
  };
}

function turnCrop(crop: Crop, oriented: Size, turn: Rotation): Crop {
  const corners = crop.corners.map((corner) => turnPoint(corner, oriented, turn)) as unknown as Quad;
  const box = turnRect(crop.box, oriented, turn);
  const size = turnSize(oriented, turn);
  return {
    score: crop.score,
    corners: startAtTopLeft(corners, turn),
    box,
    sourceCorners: startAtTopLeft(crop.sourceCorners, turn),
    sourceBox: crop.sourceBox,
    normalized: {
      x: box.x / size.width,
      y: box.y / size.height,
      width: box.width / size.width,
      height: box.height / size.height,
    },
  };
}

/** A quarter turn counter-clockwise brings the second corner, the top right one, to the top left. */
function startAtTopLeft(corners: Quad, turn: Rotation): Quad {
  const first = turn / 90;
  return [0, 1, 2, 3].map((i) => corners[(i + first) % 4]) as unknown as Quad;
}

function turnRect({ x, y, width, height }: Rect, within: Size, turn: Rotation): Rect {
  const a = turnPoint({ x, y }, within, turn);
  const b = turnPoint({ x: x + width, y: y + height }, within, turn);
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

function turnPoint({ x, y }: Point, { width, height }: Size, turn: Rotation): Point {
  if (turn === 90) return { x: y, y: width - x };
  if (turn === 180) return { x: width - x, y: height - y };
  if (turn === 270) return { x: height - y, y: x };
  return { x, y };
}

function turnSize({ width, height }: Size, turn: Rotation): Size {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
