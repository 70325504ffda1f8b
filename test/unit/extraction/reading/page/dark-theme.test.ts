import { describe, expect, it } from 'vitest';
import {
  darkScreenIn,
  withoutDarkScreen,
  withoutDarkTheme,
} from '../../../../../functions/extraction/domain/reading/page/dark-theme.ts';
import type { Raster } from '../../../../../functions/extraction/domain/reading/raster.ts';
import { flatPicture, layInto, turnedRectangle, withNoise } from '../../../../helpers/draw.ts';

/** A ground of one level with rows of print, a twentieth of its pixels, perhaps next to a desk: then it is a share of the picture. */
function printed(ground: number, print: number, desk?: number, share = 0.3): Raster {
  const [width, height] = [400, 300];
  const pixels = Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (desk !== undefined && x > share * width) return desk;
    return y % 30 < 3 && x % 4 < 2 ? print : ground;
  });
  return { width, height, pixels };
}

describe('a dark theme', () => {
  it('becomes dark print on a light ground, without the marks that were taken out of it', () => {
    const page = withoutDarkTheme({ ...printed(26, 225), marks: new Uint8Array(400 * 300) });
    expect(page).toEqual(printed(229, 30));
  });

  it('may have a ground that is not so dark', () => {
    const page = printed(58, 225);
    expect(withoutDarkTheme(page) === page).toBe(false);
  });

  it('may have a lighter band, as of a header or the row that is chosen', () => {
    const { width, height, pixels } = printed(26, 225);
    const page = { width, height, pixels: pixels.map((level, at) => (at < 0.1 * pixels.length ? level + 30 : level)) };
    expect(withoutDarkTheme(page) === page).toBe(false);
  });

  it('may have a light band with dark print, as of a header', () => {
    const dark = printed(26, 225);
    const header = printed(225, 26).pixels;
    const page = { ...dark, pixels: dark.pixels.map((level, at) => (at < 0.04 * header.length ? header[at]! : level)) };
    expect(withoutDarkTheme(page) === page).toBe(false);
  });

  it.each([
    ['print on paper', printed(240, 20)],
    ['paper in little light', printed(60, 15)],
    ['paper in hardly any light', printed(30, 4)],
    ['a sheet on a dark desk', printed(235, 20, 25)],
    ['a small sheet on a black desk', printed(235, 20, 5, 0.1)],
    ['a small sheet on a dark desk', printed(235, 20, 50, 0.1)],
    ['paper in little light, a lamp in the picture', printed(60, 12, 220, 0.96)],
    ['a sheet in little light on a black desk', printed(68, 20, 3)],
    ['print that is hardly lighter than its ground', printed(30, 70)],
    ['a black picture', printed(0, 0)],
  ])('is not %s, which stays as it is', (_, picture) => {
    // Pixels in a message of failure would fill pages.
    expect(withoutDarkTheme(picture) === picture).toBe(true);
  });

  it('becomes light where a photograph shows it within the frame of its screen', () => {
    const framed = (screen: Raster, frame: number): Raster => {
      const isFrame = (at: number) => {
        const [x, y] = [at % screen.width, Math.floor(at / screen.width)];
        return x < 20 || y < 20 || x >= screen.width - 20 || y >= screen.height - 20;
      };
      return { ...screen, pixels: screen.pixels.map((level, at) => (isFrame(at) ? frame : level)) };
    };
    const photograph = framed(printed(26, 225), 200);
    expect(withoutDarkTheme(photograph) === photograph).toBe(true);
    expect(withoutDarkScreen(photograph)).toEqual(framed(printed(229, 30), 55));
    const sheet = framed(printed(240, 20), 25);
    expect(withoutDarkScreen(sheet) === sheet).toBe(true);
  });
});

describe('a dark screen in a photograph', () => {
  const ROOM = { width: 1300, height: 1700 };
  const corners = turnedRectangle(ROOM, 1000, 1350, 2);
  const screenOf = (ground: number, print: number): Raster => {
    const [width, height] = [1000, 1350];
    const isPrint = (at: number) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return x > 80 && x < width - 80 && y % 60 > 50 && x % 12 < 4;
    };
    return {
      width,
      height,
      pixels: Uint8Array.from({ length: width * height }, (_, at) => (isPrint(at) ? print : ground)),
    };
  };
  const inRoom = (screen: Raster) => layInto(withNoise(flatPicture(ROOM.width, ROOM.height, 110), 8), screen, corners);

  it('is found before a lighter wall', () => {
    const found = darkScreenIn(inRoom(screenOf(26, 225)))!;
    for (const [index, corner] of found.corners.entries())
      expect(Math.hypot(corner.x - corners[index]!.x, corner.y - corners[index]!.y)).toBeLessThan(4);
  });

  it.each([
    ['a sheet in little light', screenOf(60, 15)],
    ['a black board', screenOf(26, 26)],
    ['a sheet', screenOf(240, 20)],
  ])('is not %s', (_, picture) => {
    expect(darkScreenIn(inRoom(picture))).toBeNull();
  });
});
