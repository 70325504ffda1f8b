import { OnnxTableNetwork } from '../functions/adapters/readers/onnx-table-network.ts';
import { tableReaders } from '../functions/adapters/readers/table-readers.ts';
import type { JudgedPage } from '../functions/extraction/domain/extraction.ts';
import { learnedReading } from '../functions/extraction/domain/interpret/learned/learned-reading.ts';
import { judgePage } from '../functions/extraction/domain/judge-page.ts';
import type { DrugMaster } from '../functions/extraction/domain/master/drug-master.ts';
import { knownDrugsOf } from '../functions/extraction/domain/master/known-drugs.ts';
import type { TableReader } from '../functions/extraction/domain/reading/table-reader.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../functions/extraction/domain/templates.ts';
import { memoizeAsync } from '../functions/shared/memoize-async.ts';

/** The embedded reader in this process, so that its peak memory is the reading's; a warm one, as callers meet it. */
export function embeddedReader(): Promise<TableReader> {
  return tableReaders({})('embedded');
}

const tableNetwork = memoizeAsync(() => OnnxTableNetwork.load());

/** Reads, interprets and judges one image as the service does before it settles. */
export async function extractPage(
  image: Uint8Array,
  reader: TableReader,
  master: DrugMaster,
  today: string,
): Promise<JudgedPage> {
  const template = knownTemplate(DEFAULT_TEMPLATE_ID);
  const [reading, network] = await Promise.all([reader.read(image, template), tableNetwork()]);
  const learned = await learnedReading(reading, network, knownDrugsOf(master));
  return judgePage(reading, template, master, { today, serviceDate: today }, learned);
}
