import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CORPUS_TODAY } from '../../bench/corpus/master.ts';
import type { PageTruth } from '../../bench/corpus/truth.ts';
import { misreadPage } from '../../bench/misreading-reader.ts';
import { corpusPages, masterFile } from '../../bench/pages.ts';
import { truthReader } from '../../bench/truth-reader.ts';
import { loadMaster } from '../../functions/adapters/drug-master/master-bytes.ts';
import type { Item } from '../../functions/extraction/domain/extraction.ts';
import { judgePage } from '../../functions/extraction/domain/judge-page.ts';
import { findTemplate } from '../../functions/extraction/domain/templates.ts';

const FOLDER = 'test/fixtures/pages';
const FIELDS = ['drugCode', 'drugName', 'quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'] as const;
const template = findTemplate('default')!;
const master = await loadMaster(readFileSync(masterFile(FOLDER)));
const pages = await Promise.all(
  corpusPages(FOLDER)
    .filter(({ truth }) => truth.table)
    .map(async ({ truth, bytes }) => ({ truth, reading: await truthReader(truth).read(bytes(), template) })),
);

type Field = (typeof FIELDS)[number];
const valuesOf = (fields: readonly Field[]) => (item: Pick<Item, Field>) =>
  fields.map((field) => String(item[field] ?? '').replace(/\s/g, '')).join(' | ');

/** A prescription has nothing to check its doses and days by but how surely they were read, and here all is read surely. */
function checkableFields({ table }: PageTruth): readonly Field[] {
  const { unitPrice, totalAmount } = table!.rows[0]!.cells;
  return unitPrice || totalAmount ? FIELDS : ['drugCode', 'drugName'];
}

describe('GREEN', () => {
  it('is never given to a line that was misread, however sure the reader was', () => {
    void fc.assert(
      fc.property(
        fc.constantFrom(...pages),
        fc.constantFrom(0.002, 0.01, 0.05),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        ({ truth, reading }, share, stream) => {
          const random = () => stream.next().value as number;
          const { items } = judgePage(misreadPage(reading, share, random), template, master, {
            today: CORPUS_TODAY,
            serviceDate: CORPUS_TODAY,
          });
          const values = valuesOf(checkableFields(truth));
          const printed = new Set(truth.table!.rows.map(({ item }) => values(item)));
          const wrong = items
            .filter((item) => item.status === 'GREEN')
            .map(values)
            .filter((line) => !printed.has(line));
          expect(wrong).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is given to most lines that were read right, so that the rule above says something', () => {
    const items = pages.flatMap(
      ({ reading }) => judgePage(reading, template, master, { today: CORPUS_TODAY, serviceDate: CORPUS_TODAY }).items,
    );
    expect(items.filter(({ status }) => status === 'GREEN').length / items.length).toBeGreaterThan(0.4);
  });
});
