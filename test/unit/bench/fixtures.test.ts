import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { CORPUS_TODAY } from '../../../bench/corpus/master.ts';
import { corpusPages, masterFile } from '../../../bench/pages.ts';
import { report } from '../../../bench/scoring/report.ts';
import { type PageScore, scorePage } from '../../../bench/scoring/score-page.ts';
import { truthReader } from '../../../bench/truth-reader.ts';
import { loadMaster } from '../../../functions/adapters/drug-master/master-bytes.ts';
import { judgePage } from '../../../functions/extraction/domain/judge-page.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate } from '../../../functions/extraction/domain/templates.ts';

const FOLDER = 'test/fixtures/pages';
const pages = corpusPages(FOLDER);

const forms = corpusPages('test/fixtures/forms');

describe('the fixture pages', () => {
  it('are four of every class of sheets, and papers that are not a drug table', () => {
    const count = (name: string) => pages.filter(({ truth }) => truth.class === name).length;
    expect(['screen', 'scan', 'photo', 'hard', 'other', 'negative'].map(count)).toEqual([4, 4, 4, 4, 4, 4]);
  });

  it('include forms as people send them', () => {
    const classes = forms.map(({ truth }) => truth.class);
    const count = (name: string) => classes.filter((one) => one === name).length;
    expect(['guide', 'prescription', 'screen-grids'].map(count)).toEqual([1, 4, 1]);
    const variants = forms.flatMap(({ truth }) => truth.made.variant ?? []);
    expect(variants).toEqual(['two-halves', 'two-languages']);
  });

  it.each([...pages, ...forms].map(({ truth, bytes }) => [truth.id, truth, bytes] as const))(
    '%s is the picture that its truth describes',
    async (_, truth, bytes) => {
      const { width, height } = await sharp(bytes()).metadata();
      expect({ width, height }).toEqual({ width: truth.image.width, height: truth.image.height });
      const { page } = truth.geometry;
      for (const { box } of truth.table?.grid.cells ?? []) {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(page.width);
        expect(box.y).toBeLessThan(page.height);
      }
    },
  );
});

describe('judging the printed values, read without a mistake', () => {
  const scores: PageScore[] = [];

  beforeAll(async () => {
    const master = await loadMaster(readFileSync(masterFile(FOLDER)));
    const template = findTemplate(DEFAULT_TEMPLATE_ID)!;
    for (const { truth, bytes } of pages) {
      const reading = await truthReader(truth).read(bytes(), template);
      scores.push(
        scorePage(
          truth,
          judgePage(reading, template, master, { today: CORPUS_TODAY, serviceDate: CORPUS_TODAY }),
          0,
          null,
        ),
      );
    }
  });

  it('gives every line with its values, and no other', () => {
    const { numericCells, fields, rowsPlaced, columnsPlaced, extraRows, foundTable } = report(scores);
    expect({ numericCells, code: fields.drugCode, rowsPlaced, columnsPlaced, extraRows, foundTable }).toEqual({
      numericCells: 1,
      code: 1,
      rowsPlaced: 1,
      columnsPlaced: 1,
      extraRows: 0,
      foundTable: 1,
    });
  });

  it('turns no line GREEN that is not right', () => {
    expect(report(scores).wrongGreen).toEqual([]);
  });

  it('finds the totals right or wrong as the sheets were made', () => {
    expect(report(scores).complete).toBe(1);
  });
});
