import type { Geometry, Quad, Rotation } from '../../extraction/domain/reading/geometry.ts';
import { describeGeometry } from '../../extraction/domain/reading/page/page-geometry.ts';
import { addTurns, turnPoint } from '../../extraction/domain/reading/page/quarter-turn.ts';
import { cropRaster, type Raster } from '../../extraction/domain/reading/raster.ts';
import type { Box } from '../../extraction/domain/reading/table-reader.ts';

/** How much darker than its surroundings ink is, in gray levels. */
const INK_CONTRAST = 60;
/** Fewer dark pixels than this are dirt. */
const MIN_INK_PIXELS = 6;
/** Ruled lines stand at the edge of a cell; looking for ink spares this share of its smaller side. */
const EDGE_SHARE = 0.12;

/** The part of a page inside a box; never empty, so that it can be recognised. */
export function cutBox(page: Raster, { x, y, width, height }: Box): Raster {
  const left = Math.min(Math.max(0, Math.floor(x)), page.width - 1);
  const top = Math.min(Math.max(0, Math.floor(y)), page.height - 1);
  return cropRaster(
    page,
    left,
    top,
    Math.max(1, Math.ceil(x + width) - left),
    Math.max(1, Math.ceil(y + height) - top),
  );
}

/** Whether a cell holds more than paper and its own border. */
export function hasInk(page: Raster, box: Box): boolean {
  const margin = Math.max(2, Math.min(box.width, box.height) * EDGE_SHARE);
  if (box.width < 3 * margin || box.height < 3 * margin) return false;
  const inner = {
    x: box.x + margin,
    y: box.y + margin,
    width: box.width - 2 * margin,
    height: box.height - 2 * margin,
  };
  const { pixels } = cutBox(page, inner);
  const paper = Uint8Array.from(pixels).sort()[Math.floor(pixels.length * 0.8)]!;
  let dark = 0;
  for (const pixel of pixels) if (paper - pixel >= INK_CONTRAST) dark++;
  return dark >= MIN_INK_PIXELS;
}

/** The geometry of a page that was turned once more, counter-clockwise, after its preparation. */
export function turnGeometry({ rotation, source, oriented, crop }: Geometry, turn: Rotation): Geometry {
  const turned = crop && {
    score: crop.score,
    corners: startAtTopLeft(crop.corners.map((corner) => turnPoint(corner, oriented, turn)) as unknown as Quad, turn),
  };
  return describeGeometry(source, addTurns(rotation, turn), turned);
}

/** A quarter turn counter-clockwise brings the second corner, the top right one, to the top left. */
function startAtTopLeft(corners: Quad, turn: Rotation): Quad {
  const first = turn / 90;
  return [0, 1, 2, 3].map((i) => corners[(i + first) % 4]) as unknown as Quad;
}
