import type { DrugTable } from '../../drug-line.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import type { PageReading } from '../../reading/table-reader.ts';
import type { InterpretedPage } from '../interpret-page.ts';
import { allTexts } from '../page/all-texts.ts';
import { kindWithDrugs } from '../page/document-kind.ts';
import { areOfDrugs } from '../page/other-goods.ts';

/** A page whose drug table is the network's; null if the page is about other goods. */
export function learnedPage(reading: PageReading, learned: DrugTable, known: KnownDrugs): InterpretedPage | null {
  const texts = allTexts(reading);
  if (!areOfDrugs([learned], texts, known)) return null;
  const documentKind = kindWithDrugs(texts, learned.columns, 'drug_list');
  return { documentType: 'drug_table', documentKind, table: learned, lists: [learned], codes: [] };
}
