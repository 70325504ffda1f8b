import { decodeImage } from '../../functions/adapters/codecs/decode-image.ts';
import { learnedReading } from '../../functions/extraction/domain/interpret/learned/learned-reading.ts';
import type { TableNetwork } from '../../functions/extraction/domain/interpret/learned/table-network.ts';
import { judgePage } from '../../functions/extraction/domain/judge-page.ts';
import type { DrugMaster } from '../../functions/extraction/domain/master/drug-master.ts';
import { knownDrugsOf } from '../../functions/extraction/domain/master/known-drugs.ts';
import { preparePage } from '../../functions/extraction/domain/reading/page/prepare-page.ts';
import type { PageModels } from '../../functions/extraction/domain/reading/page-models.ts';
import { readPrepared } from '../../functions/extraction/domain/reading/read-prepared.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../../functions/extraction/domain/templates.ts';
import { sampled } from './sampled.ts';
import { lookOf } from './steps.ts';
import { Stopwatch } from './stopwatch.ts';

export interface PageParts extends PageModels {
  readonly network: TableNetwork;
  readonly master: DrugMaster;
  /** ISO date. */
  readonly today: string;
}

export interface ProfiledPage {
  /** Of all threads, from bytes to lights. */
  readonly seconds: number;
  /** Processor seconds by step; empty without a profile. */
  readonly steps: ReadonlyMap<string, number>;
  readonly documentKind: string;
  readonly lines: number;
}

/**
 * Reads and judges a page as the service does, and measures it.
 * @param profile whether to sample where the time goes; it costs some.
 * @throws ImageRefused
 */
export async function profiledPage(image: Uint8Array, parts: PageParts, profile: boolean): Promise<ProfiledPage> {
  const calls = new Stopwatch();
  const whole = new Stopwatch();
  const read = () => whole.time('page', () => answered(image, timed(parts, calls), calls));
  const { result, shares } = profile ? await sampled(read) : { result: await read(), shares: new Map() };
  const script = Math.max(0, whole.total - calls.total);
  if (profile) for (const [step, share] of shares) calls.add(step, share * script);
  const { meta, items } = result;
  const steps = profile ? calls.seconds : new Map<string, number>();
  return { seconds: whole.total, steps, documentKind: meta.documentKind, lines: items.length };
}

function timed({ recogniser, layouts, network, master, today }: PageParts, calls: Stopwatch): PageParts {
  return {
    recogniser: {
      recognise: (lines) => calls.time(lookOf(new Error('a look').stack ?? ''), () => recogniser.recognise(lines)),
    },
    layouts: { find: (page, letterHeight) => calls.time('layout net', () => layouts.find(page, letterHeight)) },
    network: { run: (prints) => calls.time('network of tables', () => network.run(prints)) },
    master,
    today,
  };
}

async function answered(
  image: Uint8Array,
  { master, network, today, recogniser, layouts }: PageParts,
  calls: Stopwatch,
) {
  const template = knownTemplate(DEFAULT_TEMPLATE_ID);
  const decoded = await calls.time('decode', () => decodeImage(image));
  const reading = await readPrepared(await preparePage(decoded, { recogniser, layouts }), recogniser);
  const learned = await learnedReading(reading, network, knownDrugsOf(master));
  return judgePage(reading, template, master, { today }, learned);
}
