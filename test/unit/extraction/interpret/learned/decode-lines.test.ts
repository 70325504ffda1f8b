import { describe, expect, it } from 'vitest';
import { decodeLines } from '../../../../../functions/extraction/domain/interpret/learned/decode-lines.ts';
import { indexOf, ROLES, type Role } from '../../../../../functions/extraction/domain/interpret/learned/roles.ts';
import type { Print } from '../../../../../functions/extraction/domain/interpret/print.ts';
import { type KnownDrugs, NO_KNOWN_DRUGS } from '../../../../../functions/extraction/domain/master/known-drugs.ts';

/** A print with what the network says of it: logits of roles, and the print that it points to. */
interface Said {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly roles: Partial<Record<Role, number>>;
  readonly to: number;
  /** Number of its table; by default 0. */
  readonly table?: number;
}

const BOX = { x: 0, y: 0, width: 1, height: 1 };
const TABLES = [0, 1].map(() => ({ box: BOX, rowCount: 1, columnCount: 1, cells: [], bounded: true }));

function decodedRows(said: readonly Said[], known: KnownDrugs = NO_KNOWN_DRUGS) {
  const prints = said.map(({ text, x, y, table = 0 }): Print => {
    const box = { x, y, width: 8 * text.length, height: 12 };
    return { text, confidence: 0.99, numeral: null, box, cell: null, table: TABLES[table]!, line: null };
  });
  const roles = new Float32Array(said.length * ROLES.length);
  const anchors = new Float32Array(said.length ** 2);
  for (const [index, one] of said.entries()) {
    for (const [role, logit] of Object.entries(one.roles)) roles[index * ROLES.length + indexOf(role as Role)] = logit;
    anchors[index * said.length + one.to] = 9;
  }
  return decodeLines(prints, { roles, anchors }, known);
}

function decoded(said: readonly Said[], known?: KnownDrugs) {
  return decodedRows(said, known).lines;
}

const sure = (role: Role) => ({ [role]: 9 });

function row(y: number, anchor: number, values: readonly [string, string, string], roles: readonly Said['roles'][]) {
  return values.map((text, index): Said => ({ text, x: 100 * index, y, roles: roles[index]!, to: anchor }));
}

describe('decodeLines', () => {
  it('puts prints into the line of the code that they point to', () => {
    const roles = [sure('drugCode'), sure('drugName'), sure('quantity')];
    const lines = decoded([
      ...row(40, 0, ['645902470', '인데놀정10mg', '3'], roles),
      ...row(10, 3, ['643500590', '록세미신정', '1.5'], roles),
    ]);
    expect(lines.map(({ drugCode, drugName, quantity }) => [drugCode.value, drugName.value, quantity.value])).toEqual([
      ['643500590', '록세미신정', 1.5],
      ['645902470', '인데놀정10mg', 3],
    ]);
    expect(lines.map((line) => line.row)).toEqual([0, 1]);
  });

  it('splits a print of a code and a name', () => {
    const [line] = decoded([
      { text: '[비급여] 645902470 인데놀정10mg', x: 0, y: 0, roles: sure('codeName'), to: 0 },
      { text: '3', x: 400, y: 0, roles: sure('days'), to: 0 },
    ]);
    expect(line).toMatchObject({
      drugCode: { value: '645902470' },
      drugName: { value: '인데놀정10mg' },
      days: { value: 3 },
    });
  });

  it('reads a code in groups of digits', () => {
    const [line] = decoded([{ text: '645 902 470', x: 0, y: 0, roles: sure('drugCode'), to: 0 }]);
    expect(line?.drugCode.value).toBe('645902470');
  });

  it('reads a code in groups of digits over two lines', () => {
    const lines = decoded([
      { text: '645', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '902', x: 40, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '470', x: 20, y: 16, roles: sure('drugCode'), to: 0 },
      { text: '3', x: 100, y: 0, roles: sure('days'), to: 0 },
    ]);
    expect(lines.map(({ drugCode, days }) => [drugCode.value, days.value])).toEqual([['645902470', 3]]);
  });

  it.each(['(비)645.902', '1) 645 902', '* 645902', '[급] 645 902'])(
    'reads a code in groups of digits that start with %s',
    (text) => {
      const [line] = decoded([
        { text, x: 0, y: 0, roles: sure('drugCode'), to: 0 },
        { text: '470', x: 20, y: 16, roles: sure('drugCode'), to: 0 },
        { text: '3', x: 100, y: 0, roles: sure('days'), to: 0 },
      ]);
      expect(line?.drugCode.value).toBe('645902470');
    },
  );

  it.each(['■인데놀정', '① 인데놀정', '2. 인데놀정', '[비급여] 인데놀정', '*비)인데놀정'])(
    'reads the name in %s without the marks before it',
    (text) => {
      const [line] = decoded([
        { text, x: 0, y: 0, roles: sure('drugName'), to: 0 },
        { text: '3', x: 100, y: 0, roles: sure('days'), to: 0 },
      ]);
      expect(line?.drugName.value).toBe('인데놀정');
    },
  );

  it('keeps the strength that a name starts with', () => {
    const [line] = decoded([{ text: '0.9%생리식염주', x: 0, y: 0, roles: sure('drugName'), to: 0 }]);
    expect(line?.drugName.value ?? '0.9%생리식염주').toBe('0.9%생리식염주');
  });

  it('gives no code of digits that are too few', () => {
    const [line] = decoded([
      { text: '645', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '902', x: 40, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '인데놀정', x: 100, y: 0, roles: sure('drugName'), to: 0 },
      { text: '3', x: 200, y: 0, roles: sure('days'), to: 0 },
    ]);
    expect([line?.drugCode.value, line?.drugName.value, line?.days.value]).toEqual([null, '인데놀정', 3]);
  });

  it('reads the value after a label that has a number itself', () => {
    const [line] = decoded([
      { text: '인데놀정', x: 0, y: 0, roles: sure('drugName'), to: 0 },
      { text: '1회 투약량 : 0.50', x: 0, y: 20, roles: sure('quantity'), to: 0 },
      { text: '총 투약일수: 7', x: 0, y: 40, roles: sure('days'), to: 0 },
    ]);
    expect([line?.quantity.value, line?.days.value]).toEqual([0.5, 7]);
  });

  it('makes no quantity of the numbers of lines, even if the network does', () => {
    const said = [1, 2, 3, 4, 5].flatMap((number, at): Said[] => [
      { text: `64590247${number}`, x: 40, y: 20 * at, roles: sure('drugCode'), to: 3 * at },
      { text: String(number), x: 0, y: 20 * at, roles: sure(number === 5 ? 'quantity' : 'none'), to: 3 * at },
      { text: String(7 * number), x: 200, y: 20 * at, roles: { quantity: 2, days: 1 }, to: 3 * at },
    ]);
    expect(decoded(said).map(({ quantity }) => quantity.value)).toEqual([7, 14, 21, 28, 35]);
  });

  it('drops a code without numbers below a list, and says that its row is unread', () => {
    const said = ['645902470', '643500590', '646902330'].flatMap((code, at): Said[] => [
      { text: code, x: 0, y: 20 * at, roles: sure('drugCode'), to: 3 * at },
      { text: '2', x: 100, y: 20 * at, roles: sure('quantity'), to: 3 * at },
      { text: '7', x: 140, y: 20 * at, roles: sure('days'), to: 3 * at },
    ]);
    const { lines, unreadRows } = decodedRows([
      ...said,
      { text: 'JT011 643500810 [DUR 점검결과]', x: 0, y: 90, roles: sure('codeName'), to: 9 },
    ]);
    expect(lines.map(({ drugCode }) => drugCode.value)).toEqual(['645902470', '643500590', '646902330']);
    expect(unreadRows).toEqual([3]);
  });

  it('joins the lines of a wrapped name from top to bottom', () => {
    const [line] = decoded([
      { text: '베실산염)', x: 100, y: 14, roles: sure('drugName'), to: 2 },
      { text: '암로디핀정(암로디핀', x: 100, y: 0, roles: sure('drugName'), to: 2 },
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 2 },
    ]);
    expect(line?.drugName.value).toBe('암로디핀정(암로디핀베실산염)');
  });

  it('reads an unsure number as its column does', () => {
    const roles = (last: Said['roles']) => [sure('drugCode'), sure('drugName'), last];
    const lines = decoded([
      ...row(0, 0, ['645902470', '인데놀정', '3'], roles(sure('days'))),
      ...row(20, 3, ['643500590', '록세미신정', '5'], roles({ timesPerDay: 5, days: 4.5 })),
      ...row(40, 6, ['642101080', '알마겔정', '7'], roles(sure('days'))),
    ]);
    expect(lines.map(({ days }) => days.value)).toEqual([3, 5, 7]);
    expect(lines.map(({ timesPerDay }) => timesPerDay.value)).toEqual([null, null, null]);
  });

  it('lets arithmetic decide between price and amount', () => {
    const unsure = { unitPrice: 5, totalAmount: 5.2 };
    const [line] = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '30', x: 100, y: 0, roles: sure('prescribedQty'), to: 0 },
      { text: '231', x: 150, y: 0, roles: unsure, to: 0 },
      { text: '6,930', x: 200, y: 0, roles: unsure, to: 0 },
    ]);
    expect([line?.unitPrice.value, line?.totalAmount.value]).toEqual([231, 6930]);
  });

  it('lets the list decide which number is the price', () => {
    const unsure = { unitPrice: 5, totalAmount: 5.2 };
    const known = { pricesOf: () => [231], isNamed: () => false };
    const said: readonly Said[] = [
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '231', x: 150, y: 0, roles: unsure, to: 0 },
    ];
    expect(decoded(said, known)[0]?.unitPrice.value).toBe(231);
    expect(decoded(said)[0]?.unitPrice.value).toBeNull();
  });

  it('lets the price of the list decide which number is the amount', () => {
    const unsure = { unitPrice: 5.2, totalAmount: 5 };
    const known = { pricesOf: () => [231], isNamed: () => false };
    const said: readonly Said[] = [
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '30', x: 100, y: 0, roles: sure('quantity'), to: 0 },
      { text: '6,930', x: 150, y: 0, roles: unsure, to: 0 },
    ];
    expect(decoded(said, known)[0]?.totalAmount.value).toBe(6930);
    expect(decoded(said)[0]?.totalAmount.value).toBeNull();
  });

  it('is as sure of a number as its own rivals allow', () => {
    const [line] = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '3', x: 100, y: 0, roles: { quantity: 5, days: 5 }, to: 0 },
      { text: '231', x: 150, y: 0, roles: sure('unitPrice'), to: 0 },
    ]);
    expect(line!.unitPrice).toMatchObject({ value: 231, confidence: 0.99 });
  });

  it('is unsure of all numbers of a line that may have one more', () => {
    const [line] = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '3', x: 100, y: 0, roles: { none: 4, days: 4.2 }, to: 0 },
      { text: '231', x: 150, y: 0, roles: sure('unitPrice'), to: 0 },
      { text: '5', x: 200, y: 0, roles: { none: 4.2, quantity: 4.1, days: 4 }, to: 0 },
    ]);
    expect(line!.unitPrice.confidence).toBeLessThan(0.6);
  });

  it('is unsure of numbers that have two equally good readings', () => {
    const [line] = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '3', x: 100, y: 0, roles: { quantity: 5, days: 5 }, to: 0 },
    ]);
    expect(line!.quantity.value ?? line!.days.value).toBe(3);
    expect(Math.min(line!.quantity.confidence, line!.days.confidence)).toBeLessThan(0.6);
  });

  it('reads dose, times and days of one print', () => {
    const [line] = decoded([
      { text: '인데놀정10mg', x: 0, y: 0, roles: sure('drugName'), to: 0 },
      { text: '1회 0.5정 1일 3회 7일분', x: 0, y: 20, roles: sure('doses'), to: 0 },
    ]);
    expect([line?.quantity.value, line?.timesPerDay.value, line?.days.value]).toEqual([0.5, 3, 7]);
  });

  it('makes one line of a drug whose code is printed twice in its row', () => {
    const lines = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '3', x: 100, y: 0, roles: sure('days'), to: 0 },
      { text: '645902470', x: 300, y: 1, roles: sure('drugCode'), to: 2 },
      { text: '231', x: 400, y: 0, roles: sure('unitPrice'), to: 2 },
    ]);
    expect(lines.map(({ drugCode, days, unitPrice }) => [drugCode.value, days.value, unitPrice.value])).toEqual([
      ['645902470', 3, 231],
    ]);
  });

  it('distinguishes a dose from a daily dose by the times of the day', () => {
    const unsure = { quantity: 5, dailyDose: 5.2 };
    const [line] = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '18cc', x: 100, y: 0, roles: unsure, to: 0 },
      { text: '6cc', x: 200, y: 0, roles: unsure, to: 0 },
      { text: '3', x: 300, y: 0, roles: sure('timesPerDay'), to: 0 },
    ]);
    expect(line?.quantity.value).toBe(6);
  });

  it.each(['△2,900', '(2,900)', '-2,900'])('reads %s as a negative amount', (text) => {
    const [line] = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text, x: 100, y: 0, roles: sure('totalAmount'), to: 0 },
    ]);
    expect(line?.totalAmount.value).toBe(-2900);
  });

  it('drops a name without numbers next to a list of codes', () => {
    const lines = decoded([
      { text: '645902470', x: 0, y: 0, roles: sure('drugCode'), to: 0 },
      { text: '3', x: 100, y: 0, roles: sure('days'), to: 0 },
      { text: '새봄약국', x: 0, y: 200, roles: sure('drugName'), to: 2 },
    ]);
    expect(lines.map(({ drugCode }) => drugCode.value)).toEqual(['645902470']);
  });

  it('compares the names of a table without codes with each other if the list has them', () => {
    const said = [
      ...row(0, 0, ['645902470', '3', '7'], [sure('drugCode'), sure('quantity'), sure('days')]),
      ...['알마겔정', '록세미신정'].flatMap((name, at): Said[] => [
        { text: name, x: 0, y: 100 + 20 * at, roles: sure('drugName'), to: 3 + 2 * at, table: 1 },
        { text: '5', x: 100, y: 100 + 20 * at, roles: sure('quantity'), to: 3 + 2 * at, table: 1 },
      ]),
      { text: '2', x: 200, y: 0, roles: sure('timesPerDay'), to: 0 },
      { text: '30', x: 240, y: 0, roles: sure('unitPrice'), to: 0 },
    ];
    const known = { pricesOf: () => [], isNamed: () => true };
    expect(decoded(said, known).map(({ quantity }) => quantity.value)).toEqual([3, 5, 5]);
    expect(decoded(said).map(({ quantity }) => quantity.value)).toEqual([3]);
  });

  it('lists the left of two tables side by side first', () => {
    const roles = [sure('drugCode'), sure('drugName'), sure('days')];
    const said = [
      ...row(0, 0, ['645902470', '인데놀정', '3'], roles),
      ...row(-4, 3, ['643500590', '록세미신정', '5'], roles).map((one) => ({ ...one, x: one.x + 500, table: 1 })),
      ...row(40, 6, ['642101080', '알마겔정', '7'], roles),
    ];
    expect(decoded(said).map(({ days }) => days.value)).toEqual([3, 7, 5]);
  });

  it('returns no lines for a page without prints', () => {
    expect(decoded([])).toEqual([]);
  });
});
