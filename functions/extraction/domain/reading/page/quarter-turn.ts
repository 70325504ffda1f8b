import type { Point, Quad, Rotation, Size } from '../geometry.ts';
import type { Raster } from '../raster.ts';
import { transpose } from '../transpose.ts';

/** Turns an image counter-clockwise. */
export function turnRaster(source: Raster, turn: Rotation): Raster {
  if (turn === 0) return source;
  const { pixels, marks } = source;
  return {
    ...turnSize(source, turn),
    pixels: turnBytes(pixels, source, turn),
    ...(marks && { marks: turnBytes(marks, source, turn) }),
  };
}

function turnBytes(bytes: Uint8Array, { width, height }: Size, turn: 90 | 180 | 270): Uint8Array {
  if (turn === 180) return bytes.slice().reverse();
  const turned = transpose(bytes, width, height);
  for (let row = 0; row < turned.length; row += height) turned.subarray(row, row + height).reverse();
  return turn === 270 ? turned : turned.reverse();
}

export function turnSize({ width, height }: Size, turn: Rotation): Size {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };
}

/** Where a point of an image of `size` lies after the image was turned counter-clockwise. */
export function turnPoint({ x, y }: Point, size: Size, turn: Rotation): Point {
  switch (turn) {
    case 0:
      return { x, y };
    case 90:
      return { x: y, y: size.width - x };
    case 180:
      return { x: size.width - x, y: size.height - y };
    case 270:
      return { x: size.height - y, y: x };
  }
}

/** The corners of a quad after the turn; the one that is top left then comes first. */
export function turnQuad(corners: Quad, size: Size, turn: Rotation): Quad {
  const turned = corners.map((corner) => turnPoint(corner, size, turn)) as [Point, Point, Point, Point];
  return turnCorners(turned, turn);
}

/** The same corners, in the order that they have after the turn. */
export function turnCorners([a, b, c, d]: Quad, turn: Rotation): Quad {
  return turn === 0 ? [a, b, c, d] : turn === 90 ? [b, c, d, a] : turn === 180 ? [c, d, a, b] : [d, a, b, c];
}

export function addTurns(first: Rotation, second: Rotation): Rotation {
  return ((first + second) % 360) as Rotation;
}

export function inverseTurn(turn: Rotation): Rotation {
  return ((360 - turn) % 360) as Rotation;
}
