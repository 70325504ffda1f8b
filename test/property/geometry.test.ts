import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point, Quad, Rect, Rotation, Size } from '../../functions/extraction/domain/reading/geometry.ts';
import { project, rectangleToQuad } from '../../functions/extraction/domain/reading/page/homography.ts';
import { describeGeometry, turnGeometry } from '../../functions/extraction/domain/reading/page/page-geometry.ts';
import { quadArea } from '../../functions/extraction/domain/reading/page/quad-geometry.ts';
import {
  addTurns,
  inverseTurn,
  turnPoint,
  turnQuad,
  turnRaster,
  turnSize,
} from '../../functions/extraction/domain/reading/page/quarter-turn.ts';
import { warpQuad } from '../../functions/extraction/domain/reading/page/warp.ts';

const rotations = fc.constantFrom<Rotation>(0, 90, 180, 270);
const sizes = fc.record({ width: fc.integer({ min: 1, max: 6000 }), height: fc.integer({ min: 1, max: 6000 }) });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const inset = fc.double({ min: -0.1, max: 0.45, noNaN: true });

/** A sheet as it lies in an upright picture: every corner in its own quarter, maybe beyond the picture's border. */
const sheets = fc
  .tuple(sizes, fc.tuple(inset, inset, inset, inset, inset, inset, inset, inset))
  .map(([{ width, height }, [a, b, c, d, e, f, g, h]]) => {
    const corners: Quad = [
      { x: a * width, y: b * height },
      { x: (1 - c) * width, y: d * height },
      { x: (1 - e) * width, y: (1 - f) * height },
      { x: g * width, y: (1 - h) * height },
    ];
    return { size: { width, height }, corners };
  });

const rasters = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height })
      .map((pixels) => ({ width, height, pixels })),
  );

function expectNear(actual: Point, expected: Point, tolerance = 1e-6): void {
  expect(Math.hypot(actual.x - expected.x, actual.y - expected.y)).toBeLessThanOrEqual(tolerance);
}

function expectInside(point: Point, { x, y, width, height }: Rect, tolerance = 1e-6): void {
  expect(point.x).toBeGreaterThanOrEqual(x - tolerance);
  expect(point.y).toBeGreaterThanOrEqual(y - tolerance);
  expect(point.x).toBeLessThanOrEqual(x + width + tolerance);
  expect(point.y).toBeLessThanOrEqual(y + height + tolerance);
}

const whole = ({ width, height }: Size): Rect => ({ x: 0, y: 0, width, height });

describe('quarter turns', () => {
  it('quarter turns are counter-clockwise: the right side comes to the top', () => {
    const picture = { width: 3, height: 2, pixels: new Uint8Array([1, 2, 3, 4, 5, 6]) };
    expect(turnRaster(picture, 90)).toEqual({ width: 2, height: 3, pixels: new Uint8Array([3, 6, 2, 5, 1, 4]) });
    expect(turnPoint({ x: 3, y: 0 }, picture, 90)).toEqual({ x: 0, y: 0 });
  });

  it('move pixels and points alike', () => {
    fc.assert(
      fc.property(rasters, rotations, fc.nat(), fc.nat(), (picture, turn, column, row) => {
        const x = column % picture.width;
        const y = row % picture.height;
        const turned = turnRaster(picture, turn);
        const center = turnPoint({ x: x + 0.5, y: y + 0.5 }, picture, turn);
        const moved = turned.pixels[Math.floor(center.y) * turned.width + Math.floor(center.x)];
        expect(moved).toBe(picture.pixels[y * picture.width + x]);
      }),
    );
  });

  it('are undone by their inverse, and add up', () => {
    fc.assert(
      fc.property(rasters, rotations, rotations, (picture, first, second) => {
        const turned = turnRaster(picture, first);
        expect(turnRaster(turned, inverseTurn(first))).toEqual(picture);
        expect(turnRaster(turned, second)).toEqual(turnRaster(picture, addTurns(first, second)));
      }),
    );
    fc.assert(
      fc.property(sizes, rotations, fc.double({ noNaN: true, min: -1e4, max: 1e4 }), (size, turn, x) => {
        const point = { x, y: x / 3 };
        const there = turnPoint(point, size, turn);
        expectNear(turnPoint(there, turnSize(size, turn), inverseTurn(turn)), point);
      }),
    );
  });

  it('of a sheet keep its corners clockwise from the top left', () => {
    fc.assert(
      fc.property(sheets, rotations, ({ size, corners }, turn) => {
        const turned = turnQuad(corners, size, turn);
        const { width, height } = turnSize(size, turn);
        const places = turned.map(
          ({ x, y }) => `${y < height / 2 ? 'top' : 'bottom'} ${x < width / 2 ? 'left' : 'right'}`,
        );
        expect(places).toEqual(['top left', 'top right', 'bottom right', 'bottom left']);
        expect(Math.abs(quadArea(turned) - quadArea(corners))).toBeLessThan(1e-9 * width * height);
      }),
    );
  });
});

describe('described geometry', () => {
  const described = fc.tuple(sheets, rotations, share, fc.boolean()).map(([sheet, rotation, score, mirrored]) => {
    // The sheet is in the oriented picture; the upload is that picture turned back.
    const source = turnSize(sheet.size, inverseTurn(rotation));
    const geometry = describeGeometry(source, rotation, { corners: sheet.corners, score }, mirrored);
    return { source, geometry, crop: geometry.crop! };
  });

  it('has boxes that contain their corners exactly, and ratios from 0 to 1', () => {
    fc.assert(
      fc.property(described, ({ geometry, crop, source }) => {
        const { oriented, rotation } = geometry;
        expect(geometry.source).toEqual(source);
        expect(oriented).toEqual(turnSize(source, rotation));
        for (const [corners, box, size] of [
          [crop.corners, crop.box, oriented],
          [crop.sourceCorners, crop.sourceBox, source],
        ] as const) {
          for (const corner of corners) {
            expectInside(corner, box);
            expectInside(corner, whole(size));
          }
          const xs = corners.map(({ x }) => x);
          const ys = corners.map(({ y }) => y);
          expect(box.width).toBeCloseTo(Math.max(...xs) - Math.min(...xs), 6);
          expect(box.height).toBeCloseTo(Math.max(...ys) - Math.min(...ys), 6);
        }
        const { x, y, width, height } = crop.normalized;
        expectInside({ x, y }, whole({ width: 1, height: 1 }));
        expectInside({ x: x + width, y: y + height }, whole({ width: 1, height: 1 }));
        expect(width * oriented.width).toBeCloseTo(crop.box.width, 6);
        expect(y * oriented.height).toBeCloseTo(crop.box.y, 6);
      }),
    );
  });

  it('has source corners that mirroring, where the tag asks for it, and the rotation take to the corners', () => {
    fc.assert(
      fc.property(described, ({ geometry: { rotation, source, mirrored }, crop }) => {
        crop.sourceCorners.forEach(({ x, y }, index) => {
          const corner = { x: mirrored ? source.width - x : x, y };
          expectNear(turnPoint(corner, source, rotation), crop.corners[index]!);
        });
      }),
    );
  });

  it('stays the same upload when the page is turned once more', () => {
    fc.assert(
      fc.property(described, rotations, ({ geometry, crop }, turn) => {
        const turned = turnGeometry(geometry, turn);
        expect(turned.source).toEqual(geometry.source);
        expect(turned.rotation).toBe(addTurns(geometry.rotation, turn));
        for (const key of ['x', 'y', 'width', 'height'] as const)
          expect(turned.crop!.sourceBox[key]).toBeCloseTo(crop.sourceBox[key], 6);
        // The top right corner of the page is its top left one after a quarter turn.
        expectNear(turned.crop!.sourceCorners[0], crop.sourceCorners[turn / 90]!);
        expect(turnGeometry(turned, inverseTurn(turn)).oriented).toEqual(geometry.oriented);
      }),
    );
  });

  it('has no crop where no sheet was found', () => {
    fc.assert(fc.property(sizes, rotations, (size, turn) => describeGeometry(size, turn, null).crop === null));
  });
});

describe('rectification', () => {
  const targets = fc.record({ width: fc.integer({ min: 2, max: 4000 }), height: fc.integer({ min: 2, max: 4000 }) });

  it('takes the corners of the rectangle to those of the sheet, and straight lines to straight lines', () => {
    fc.assert(
      fc.property(sheets, targets, share, share, ({ size, corners }, { width, height }, s, t) => {
        fc.pre(isConvex(corners));
        const map = rectangleToQuad(width, height, corners);
        const extent = Math.max(size.width, size.height);
        const rectangle = [
          { x: 0, y: 0 },
          { x: width, y: 0 },
          { x: width, y: height },
          { x: 0, y: height },
        ];
        rectangle.forEach((corner, index) => {
          expectNear(project(map, corner), corners[index]!, 1e-6 * extent);
        });
        const [from, to, between] = [0, 1, t].map((x) => project(map, { x: x * width, y: s * height })) as [
          Point,
          Point,
          Point,
        ];
        const apart = (to.x - from.x) * (between.y - from.y) - (to.y - from.y) * (between.x - from.x);
        expect(Math.abs(apart)).toBeLessThan(1e-6 * extent * extent);
      }),
    );
  });

  it('of the whole picture, from any of its corners, is a quarter turn', () => {
    fc.assert(
      fc.property(rasters, rotations, (picture, turn) => {
        const { width, height } = picture;
        const corners = [
          { x: 0, y: 0 },
          { x: width, y: 0 },
          { x: width, y: height },
          { x: 0, y: height },
        ];
        const first = turn / 90;
        const quad = [...corners.slice(first), ...corners.slice(0, first)] as unknown as Quad;
        const size = turnSize(picture, turn);
        expect(warpQuad(picture, quad, size.width, size.height)).toEqual(turnRaster(picture, turn));
      }),
    );
  });
});

/** Clearly convex, so that the map is well conditioned. */
function isConvex(quad: Quad): boolean {
  return quad.every((point, i) => {
    const next = quad[(i + 1) % 4]!;
    const after = quad[(i + 2) % 4]!;
    const [ax, ay, bx, by] = [next.x - point.x, next.y - point.y, after.x - next.x, after.y - next.y];
    return ax * by - ay * bx > 0.05 * Math.hypot(ax, ay) * Math.hypot(bx, by);
  });
}
