import { stat } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { OnnxTableNetwork } from '../../../functions/adapters/readers/onnx-table-network.ts';
import {
  type LearnedReading,
  learnedReading,
} from '../../../functions/extraction/domain/interpret/learned/learned-reading.ts';
import { judgePage } from '../../../functions/extraction/domain/judge-page.ts';
import { NO_KNOWN_DRUGS } from '../../../functions/extraction/domain/master/known-drugs.ts';
import type { PageReading, ReadText } from '../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../functions/extraction/domain/templates.ts';
import { drugMaster } from '../../helpers/drug-table.ts';

const DATES = { today: '2026-11-21', serviceDate: '2026-11-21' };
const NETWORK = 'layers/ocr/tables.onnx';
const MAX_BYTES = 8_000_000;
let network: OnnxTableNetwork;

beforeAll(async () => {
  network = await OnnxTableNetwork.load(undefined, { threads: 1 });
});

const COLUMNS = [40, 160, 480, 560, 640];
const HEADERS = ['약품코드', '약품명', '1회투약량', '횟수', '일수'];
const DRUGS = [
  ['645902470', '인데놀정10mg(프로프라놀롤염산염)', '1', '3', '28'],
  ['643500590', '록세미신정150밀리그램', '0.5', '3', '28'],
  ['646902330', '울트라셋정', '2', '2', '7'],
  ['642101080', '알마겔정(알마게이트)', '1', '3', '14'],
];

/** Text, left and top in pixels. */
type Placed = readonly [string, number, number];

function page(rows: readonly (readonly string[])[], scale = 1): PageReading {
  return pageOf(
    rows.flatMap((row, line) => row.map((text, column): Placed => [text, COLUMNS[column]!, 40 + 24 * line])),
    scale,
  );
}

function pageOf(placed: readonly Placed[], scale = 1): PageReading {
  const texts = placed.map(([text, x, y]): ReadText => {
    const width = [...text].reduce((sum, letter) => sum + (letter > '\u1100' ? 14 : 7.5), 0);
    const box = { x: x * scale, y: y * scale, width: width * scale, height: 14 * scale };
    return { text, confidence: 0.99, box };
  });
  const size = { width: 1400 * scale, height: 400 * scale };
  const geometry = { rotation: 0, source: size, oriented: size, crop: null } as const;
  return { geometry, image: { readable: true, issues: [], drawn: true }, tables: [], texts, page: size };
}

describe('OnnxTableNetwork', () => {
  it('is small enough for a function', async () => {
    expect((await stat(NETWORK)).size).toBeLessThan(MAX_BYTES);
  });

  it.each([1, 3])('reads a list without rules at %i times the size', async (scale) => {
    const learned = await learnedReading(page([HEADERS, ...DRUGS], scale), network, NO_KNOWN_DRUGS);
    expect(
      learned?.table?.lines.map(({ drugCode, drugName, quantity, timesPerDay, days }) =>
        [drugCode, drugName, quantity, timesPerDay, days].map(({ value }) => String(value)),
      ),
    ).toEqual(DRUGS);
  });

  it('answers two drugs side by side, which the rules read as one', async () => {
    const reading = pageOf([
      ['664102880 모사프리드정', 276, 136],
      ['642903412 싸이신주사200밀리그램', 826, 136],
      ...[278, 826].flatMap((x) =>
        ['수량', '1일투여횟수', '일수', '총투약용량'].map((word, at): Placed => [word, x + 120 * at, 178]),
      ),
      ...[
        ['2', '1', '5', '10'],
        ['0.5', '2', '14', '14'],
      ].flatMap((numbers, block) => numbers.map((number, at): Placed => [number, 290 + 548 * block + 120 * at, 220])),
    ]);
    const answered = (learned: LearnedReading | null) =>
      judgePage(reading, findTemplate('default')!, drugMaster({}), DATES, learned).items.map(
        ({ drugCode, quantity, days, prescribedQty }) => [drugCode, quantity, days, prescribedQty],
      );
    const both = [
      ['664102880', 2, 5, 10],
      ['642903412', 0.5, 14, 14],
    ];
    expect(answered(null)).not.toEqual(both);
    expect(answered(await learnedReading(reading, network, NO_KNOWN_DRUGS))).toEqual(both);
  });

  it('finds no drugs on a page without any', async () => {
    const rows = [
      ['번호', '품명', '수량', '단가', '금액'],
      ['1', 'A4 복사용지', '2', '3,000', '6,000'],
    ];
    expect(await learnedReading(page(rows), network, NO_KNOWN_DRUGS)).toMatchObject({ table: null, codes: [] });
  });

  it('finds nothing on an empty page, and is not asked about a newspaper', async () => {
    expect(await learnedReading(page([]), network, NO_KNOWN_DRUGS)).toEqual({ table: null, labels: [], codes: [] });
    const many = page(Array.from({ length: 120 }, () => DRUGS[0]!));
    expect(await learnedReading(many, network, NO_KNOWN_DRUGS)).toBeNull();
  });
});
