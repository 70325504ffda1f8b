import type { Crop, Geometry, Point, Quad, Rect, Rotation, Size } from '../geometry.ts';
import { addTurns, inverseTurn, turnPoint, turnQuad, turnSize } from './quarter-turn.ts';

/**
 * The geometry that a response reports, from what the preparation of a page decided.
 * @param source size of the uploaded original.
 * @param rotation counter-clockwise turn that makes it upright.
 * @param crop corners of the sheet in the upright image, in the original's pixels; null when the whole image was read.
 * @param mirrored whether the original is mirrored left to right before it is turned.
 */
export function describeGeometry(
  source: Size,
  rotation: Rotation,
  crop: { readonly corners: Quad; readonly score: number | null } | null,
  mirrored = false,
): Geometry {
  const oriented = turnSize(source, rotation);
  return {
    rotation,
    ...(mirrored ? { mirrored } : {}),
    source: { width: source.width, height: source.height },
    oriented,
    crop: crop && describeCrop(crop.corners, crop.score, oriented, rotation, mirrored),
  };
}

/** Points of the upright image, in the upload. */
export function toSource(
  corners: Quad,
  { oriented, rotation, source, mirrored }: Pick<Geometry, 'oriented' | 'rotation' | 'source' | 'mirrored'>,
): Quad {
  return mapQuad(corners, (point) => {
    const { x, y } = turnPoint(point, oriented, inverseTurn(rotation));
    return { x: mirrored ? source.width - x : x, y };
  });
}

function describeCrop(found: Quad, score: number | null, oriented: Size, rotation: Rotation, mirrored: boolean): Crop {
  const corners = mapQuad(found, (point) => clampPoint(point, oriented));
  const source = turnSize(oriented, rotation);
  const sourceCorners = toSource(corners, { oriented, rotation, source, ...(mirrored && { mirrored }) });
  const box = boundingBox(corners);
  return {
    score,
    corners,
    box,
    sourceCorners,
    sourceBox: boundingBox(mapQuad(sourceCorners, (point) => clampPoint(point, source))),
    normalized: {
      x: box.x / oriented.width,
      y: box.y / oriented.height,
      width: box.width / oriented.width,
      height: box.height / oriented.height,
    },
  };
}

export function mapQuad([a, b, c, d]: Quad, map: (point: Point) => Point): Quad {
  return [map(a), map(b), map(c), map(d)];
}

/** A corner that the picture cuts off is reported at the picture's border. */
function clampPoint({ x, y }: Point, { width, height }: Size): Point {
  return { x: Math.min(width, Math.max(0, x)), y: Math.min(height, Math.max(0, y)) };
}

export function boundingBox(corners: readonly Point[]): Rect {
  const x = Math.min(...corners.map((corner) => corner.x));
  const y = Math.min(...corners.map((corner) => corner.y));
  return {
    x,
    y,
    width: Math.max(...corners.map((corner) => corner.x)) - x,
    height: Math.max(...corners.map((corner) => corner.y)) - y,
  };
}

/** The geometry of a page that was found to need one more turn, counter-clockwise, after its preparation. */
export function turnGeometry({ rotation, mirrored, source, oriented, crop }: Geometry, turn: Rotation): Geometry {
  const turned = crop && { score: crop.score, corners: turnQuad(crop.corners, oriented, turn) };
  return describeGeometry(source, addTurns(rotation, turn), turned, mirrored);
}
