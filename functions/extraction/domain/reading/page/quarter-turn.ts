import type { Point, Quad, Rotation, Size } from '../geometry.ts';
import type { Raster } from '../raster.ts';

/** Turns an image counter-clockwise. */
export function turnRaster(source: Raster, turn: Rotation): Raster {
  if (turn === 0) return source;
  const { width, height } = source;
  const size = turnSize(source, turn);
  const pixels = new Uint8Array(source.pixels.length);
  const marks = source.marks && new Uint8Array(source.pixels.length);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const from =
        turn === 90
          ? x * width + (width - 1 - y)
          : turn === 180
            ? (height - 1 - y) * width + (width - 1 - x)
            : (height - 1 - x) * width + y;
      pixels[y * size.width + x] = source.pixels[from]!;
      if (marks) marks[y * size.width + x] = source.marks![from]!;
    }
  return { ...size, pixels, ...(marks && { marks }) };
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
  const [a, b, c, d] = corners.map((corner) => turnPoint(corner, size, turn)) as [Point, Point, Point, Point];
  return turn === 0 ? [a, b, c, d] : turn === 90 ? [b, c, d, a] : turn === 180 ? [c, d, a, b] : [d, a, b, c];
}

export function addTurns(first: Rotation, second: Rotation): Rotation {
  return ((first + second) % 360) as Rotation;
}

export function inverseTurn(turn: Rotation): Rotation {
  return ((360 - turn) % 360) as Rotation;
}
