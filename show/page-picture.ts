import sharp, { type OverlayOptions } from 'sharp';
import type { JudgedPage } from '../functions/extraction/domain/extraction.ts';
import type { Quad } from '../functions/extraction/domain/reading/geometry.ts';
import type { Raster } from '../functions/extraction/domain/reading/raster.ts';
import type { Box, PageReading } from '../functions/extraction/domain/reading/table-reader.ts';
import { LIGHTS } from './lights.ts';
import { headlineOf, notesOf } from './notes.ts';
import { lightOf, type PageRow, pageRows } from './page-rows.ts';
import { type TextBlock, textBlock } from './text-block.ts';

export interface ShownPage {
  /** The upload, decoded and turned upright: where the sheet was in it. */
  readonly oriented: Raster;
  /** The page as it was read: upright, flat, cropped. */
  readonly page: Raster;
  readonly reading: PageReading;
  readonly judged: JudgedPage;
}

const MARGIN = 20;
const UPLOAD_WIDTH = 420;
const MAX_PAGE_WIDTH = 1300;
const NOTES_WIDTH = 600;
const LETTER_SIZE = 16;
const NOTE_GAP = 8;
const CROP_COLOUR = '#2563eb';
const PLAIN_COLOUR = '#9ca3af';

interface Placed {
  readonly block: TextBlock;
  readonly x: number;
  readonly y: number;
}

/**
 * A PNG for people: the upload with the corners of the sheet if one was found, the page as it was read with its cells in the colour of
 * their line's light, and the notes next to their lines.
 */
export async function pagePicture({ oriented, page, reading, judged }: ShownPage): Promise<Buffer> {
  const crop = judged.geometry.crop;
  const upload = crop ? placeRaster(oriented, MARGIN, MARGIN, UPLOAD_WIDTH) : null;
  const sheet = placeRaster(page, upload ? upload.x + upload.width + MARGIN : MARGIN, MARGIN, MAX_PAGE_WIDTH);
  const notesX = sheet.x + sheet.width + 2 * MARGIN;
  const rows = pageRows(reading, judged);
  const toSheet = (box: Box): Box => ({
    x: sheet.x + box.x * sheet.scale,
    y: sheet.y + box.y * sheet.scale,
    width: box.width * sheet.scale,
    height: box.height * sheet.scale,
  });
  const headline = { block: await textBlock(headlineOf(judged), NOTES_WIDTH, LETTER_SIZE), x: notesX, y: MARGIN };
  const notes = await placeNotes(rows, toSheet, notesX, headline.y + headline.block.height + 2 * NOTE_GAP);

  const width = notesX + NOTES_WIDTH + MARGIN;
  const lowest = [headline, ...notes.map(({ placed }) => placed)].map(({ block, y }) => y + block.height);
  const height = Math.ceil(Math.max(sheet.y + sheet.height, upload ? upload.y + upload.height : 0, ...lowest) + MARGIN);
  const shapes = [
    ...(upload && crop ? [corners(crop.corners, upload, upload.width / judged.geometry.oriented.width)] : []),
    ...rows.flatMap((row) => row.cells.map(({ box }) => cellShape(toSheet(box), row))),
    ...notes.map(({ row, placed }) => connector(toSheet(row.box), row, placed)),
  ];
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`;
  const layers: OverlayOptions[] = [
    ...(await Promise.all([upload, sheet].flatMap((panel) => (panel ? [layerOf(panel)] : [])))),
    { input: Buffer.from(overlay), left: 0, top: 0 },
    ...[headline, ...notes.map(({ placed }) => placed)].map(({ block, x, y }) => ({
      input: block.png,
      left: x,
      top: Math.round(y),
    })),
  ];
  return sharp({ create: { width, height, channels: 3, background: 'white' } })
    .composite(layers)
    .png({ palette: true, colours: 128, effort: 7 })
    .toBuffer();
}

interface Panel extends Box {
  readonly raster: Raster;
  readonly scale: number;
}

function placeRaster(raster: Raster, x: number, y: number, maxWidth: number): Panel {
  const scale = Math.min(1, maxWidth / raster.width);
  return { raster, scale, x, y, width: Math.round(raster.width * scale), height: Math.round(raster.height * scale) };
}

async function layerOf({ raster, x, y, width, height }: Panel): Promise<OverlayOptions> {
  const input = await sharp(raster.pixels, { raw: { width: raster.width, height: raster.height, channels: 1 } })
    .resize(width, height)
    .png()
    .toBuffer();
  return { input, left: x, top: y };
}

/** Each note next to its line, or below the note before it if lines are close. */
async function placeNotes(
  rows: readonly PageRow[],
  toSheet: (box: Box) => Box,
  x: number,
  top: number,
): Promise<readonly { readonly row: PageRow; readonly placed: Placed }[]> {
  const notes: { row: PageRow; placed: Placed }[] = [];
  let free = top;
  for (const row of rows) {
    if (row.item === null) continue;
    const block = await textBlock(notesOf(row.item), NOTES_WIDTH, LETTER_SIZE);
    const y = Math.max(free, toSheet(row.box).y);
    notes.push({ row, placed: { block, x, y } });
    free = y + block.height + NOTE_GAP;
  }
  return notes;
}

function cellShape({ x, y, width, height }: Box, row: PageRow): string {
  const light = lightOf(row);
  const colour = light === null ? PLAIN_COLOUR : LIGHTS[light].colour;
  const opacity = light === null ? 0 : 0.1;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}" fill-opacity="${opacity}" stroke="${colour}" stroke-width="1"/>`;
}

function connector(box: Box, row: PageRow, { x, y }: Placed): string {
  const { colour } = LIGHTS[lightOf(row) ?? 'RED'];
  const [fromX, fromY, toX, toY] = [box.x + box.width, box.y + box.height / 2, x - 6, y + LETTER_SIZE / 2];
  const middle = (fromX + toX) / 2;
  return `<path d="M${fromX} ${fromY} C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
}

function corners(quad: Quad, panel: Panel, scale: number): string {
  const points = quad.map(({ x, y }) => ({ x: panel.x + x * scale, y: panel.y + y * scale }));
  const outline = points.map(({ x, y }) => `${x},${y}`).join(' ');
  const dots = points.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="6" fill="${CROP_COLOUR}"/>`);
  return `<polygon points="${outline}" fill="none" stroke="${CROP_COLOUR}" stroke-width="3"/>${dots.join('')}`;
}
