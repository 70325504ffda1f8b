import { describe, expect, it } from 'vitest';
import { detectDocumentQuad } from '../../../../../functions/extraction/domain/reading/page/detect-document-quad.ts';
import { turnRaster } from '../../../../../functions/extraction/domain/reading/page/quarter-turn.ts';
import { barPage, fill, flatPicture, layInto, turnedRectangle, withNoise } from '../../../../helpers/draw.ts';

const DESK = { width: 1300, height: 1700 };
const desk = (level = 90) => withNoise(flatPicture(DESK.width, DESK.height, level), 8);

describe('a sheet on a darker desk', () => {
  it.each([0, 1.5, -4, 7, -12])('is found where it lies, turned by %d degrees', (degrees) => {
    const corners = turnedRectangle(DESK, 1000, 1350, degrees);
    const found = detectDocumentQuad(layInto(desk(), barPage(1000, 1350), corners));
    expect(found).not.toBeNull();
    found!.corners.forEach((corner, index) => {
      expect(Math.hypot(corner.x - corners[index]!.x, corner.y - corners[index]!.y)).toBeLessThan(3);
    });
    expect(found!.score).toBeGreaterThan(0.9);
  });

  it('is found on its side just as well', () => {
    const corners = turnedRectangle(DESK, 1000, 1350, 3);
    const found = detectDocumentQuad(turnRaster(layInto(desk(), barPage(1000, 1350), corners), 90));
    // Turned counter-clockwise, the second corner comes to the top left.
    expect(found!.corners[0].x).toBeCloseTo(corners[1].y, -1);
    expect(found!.corners[0].y).toBeCloseTo(DESK.width - corners[1].x, -1);
  });

  it('differs from the tables that are printed on it', () => {
    const page = barPage(1000, 1350, { ruled: true });
    fill(page, 80, 100, 840, 60, 70);
    const corners = turnedRectangle(DESK, 1000, 1350, -2);
    const found = detectDocumentQuad(layInto(desk(), page, corners))!;
    found.corners.forEach((corner, index) => {
      expect(Math.hypot(corner.x - corners[index]!.x, corner.y - corners[index]!.y)).toBeLessThan(4);
    });
  });
});

describe('nothing is cropped', () => {
  it('where the page fills the picture, ruled or not', () => {
    expect(detectDocumentQuad(withNoise(barPage(1200, 1600), 6))).toBeNull();
    expect(detectDocumentQuad(withNoise(barPage(1200, 1600, { ruled: true }), 6))).toBeNull();
  });

  it('to a table with a dark header and a frame', () => {
    const page = flatPicture(1200, 1600, 250);
    for (const [x, y, width, height] of [
      [100, 200, 1000, 70],
      [100, 200, 3, 1100],
      [1097, 200, 3, 1100],
      [100, 1297, 1000, 3],
    ] as const)
      fill(page, x, y, width, height, 30);
    for (let y = 320; y < 1280; y += 48) fill(page, 140, y, 900, 22, 40);
    expect(detectDocumentQuad(page)).toBeNull();
  });

  it('to a light strip that no sheet is as long as: the band between its edge and the shaded header of a table', () => {
    const ground = withNoise(flatPicture(2600, 786, 90), 8);
    const strip = (height: number) =>
      detectDocumentQuad(layInto(ground, flatPicture(2440, 760, 250), turnedRectangle(ground, 2440, height, 0.5)));
    expect(strip(700)).not.toBeNull();
    expect(strip(250)).toBeNull();
  });

  it('to the part of a sheet below a shaded band, if the ground next to its top is as light as paper', () => {
    const ground = flatPicture(DESK.width, DESK.height, 90);
    fill(ground, 0, 0, DESK.width, 400, 248);
    const page = flatPicture(1000, 1350, 250);
    fill(page, 0, 420, 1000, 40, 205);
    const corners = turnedRectangle(DESK, 1000, 1350, 1);
    expect(detectDocumentQuad(layInto(withNoise(ground, 8), page, corners))).toBeNull();
  });

  it("to the part of a sheet on one side of a fold, behind whose shadow the sheet's edges continue", () => {
    const ground = flatPicture(DESK.width, DESK.height, 90);
    fill(ground, 0, 0, DESK.width, 400, 228);
    const page = flatPicture(1000, 1350, 250);
    fill(page, 0, 0, 1000, 500, 226);
    for (let y = 0; y < 60; y += 4) fill(page, 0, 440 + y, 1000, 4, 226 - y);
    const corners = turnedRectangle(DESK, 1000, 1350, 1);
    expect(detectDocumentQuad(layInto(withNoise(ground, 8), page, corners))).toBeNull();
  });

  it('to a panel of a window, whose edges lie level to the pixel', () => {
    const screen = flatPicture(1300, 900, 120);
    fill(screen, 200, 250, 1000, 500, 255);
    for (let y = 280; y < 720; y += 30) fill(screen, 230, y, 700, 14, 40);
    expect(detectDocumentQuad(screen)).toBeNull();
  });

  it('to panels with two level edges and two faint ones that seem to be in one line', () => {
    const panel = (gaps: number) => {
      const screen = flatPicture(1300, 900, 120);
      for (let y = 230; y < 750; y++) {
        const left = Math.round(200 + (y - 250) * 0.04);
        for (let x = left; x < 1200; x++) if (y >= 250 - 0.015 * (x - 200)) screen.pixels[y * screen.width + x] = 255;
      }
      for (let y = 280; y < 720; y += 30) fill(screen, 300, y, 700, 14, 40);
      for (let y = 280; y < 700; y += 100) fill(screen, 190, y, 60, gaps, 120);
      return screen;
    };
    expect(detectDocumentQuad(panel(20))).toBeNull();
    expect(detectDocumentQuad(panel(0))).not.toBeNull();
  });

  it('in a picture of nothing, of noise, or of a few pixels', () => {
    expect(detectDocumentQuad(flatPicture(800, 600, 255))).toBeNull();
    expect(detectDocumentQuad(withNoise(flatPicture(800, 600, 128), 120))).toBeNull();
    for (const side of [1, 2, 3, 12]) expect(detectDocumentQuad(flatPicture(side, side, 200))).toBeNull();
  });

  it('to a sheet that the picture cuts off: its corners cannot be known', () => {
    const corners = turnedRectangle({ width: DESK.width, height: DESK.height + 500 }, 1000, 1500, 0);
    expect(detectDocumentQuad(layInto(desk(), barPage(1000, 1500), corners))).toBeNull();
  });

  it('to a sheet that is a small part of the picture', () => {
    expect(detectDocumentQuad(layInto(desk(), barPage(300, 400), turnedRectangle(DESK, 300, 400, 2)))).toBeNull();
  });
});
