import { decodeImage } from '../functions/adapters/codecs/decode-image.ts';
import { explainPage, type PageTrace } from '../functions/extraction/domain/explain-page.ts';
import type { JudgedPage } from '../functions/extraction/domain/extraction.ts';
import { learnedReading } from '../functions/extraction/domain/interpret/learned/learned-reading.ts';
import type { TableNetwork } from '../functions/extraction/domain/interpret/learned/table-network.ts';
import { judgePage } from '../functions/extraction/domain/judge-page.ts';
import type { DrugMaster } from '../functions/extraction/domain/master/drug-master.ts';
import { knownDrugsOf } from '../functions/extraction/domain/master/known-drugs.ts';
import { preparePage } from '../functions/extraction/domain/reading/page/prepare-page.ts';
import { turnRaster } from '../functions/extraction/domain/reading/page/quarter-turn.ts';
import type { PageModels } from '../functions/extraction/domain/reading/page-models.ts';
import { readPrepared } from '../functions/extraction/domain/reading/read-prepared.ts';
import type { Template } from '../functions/extraction/domain/reading/template.ts';
import { pagePicture } from './page-picture.ts';

export interface ShowParts extends PageModels {
  readonly network: TableNetwork;
  readonly template: Template;
  readonly master: DrugMaster;
  /** ISO date: which prices are in force. */
  readonly today: string;
}

export interface ShownImage {
  readonly png: Buffer;
  readonly judged: JudgedPage;
  readonly trace: PageTrace;
}

/** Reads and judges an image, draws the outcome, and explains it. @throws ImageRefused */
export async function showImage(
  image: Uint8Array,
  { recogniser, layouts, network, template, master, today }: ShowParts,
): Promise<ShownImage> {
  const decoded = await decodeImage(image);
  const prepared = await preparePage(decoded, { recogniser, layouts });
  const reading = await readPrepared(prepared, recogniser);
  const learned = await learnedReading(reading, network, knownDrugsOf(master));
  const judged = judgePage(reading, template, master, { today }, learned);
  const oriented = turnRaster(decoded.raster, judged.geometry.rotation);
  const png = await pagePicture({ oriented, page: prepared.page, reading, judged });
  return { png, judged, trace: explainPage(reading, template, master, { today }, learned) };
}
