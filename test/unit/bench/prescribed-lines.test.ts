import { describe, expect, it } from 'vitest';
import { inventedMaster } from '../../../bench/corpus/invented-drugs.ts';
import { priceToday } from '../../../bench/corpus/master.ts';
import { Random } from '../../../bench/corpus/random.ts';
import {
  isInjected,
  type PrescribedStyle,
  prescribedLines,
  prescribedTruth,
  writeDose,
} from '../../../bench/corpus/sheet/prescribed-lines.ts';
import { UNADORNED } from '../../../bench/corpus/sheet/printed-name.ts';

const master = inventedMaster();
const style: PrescribedStyle = {
  names: { ...UNADORNED, parts: 'short', unit: 'latin' },
  unknownShare: 0.3,
  codes: true,
  fractions: true,
};
const box = { x: 0, y: 0, width: 10, height: 10 };

function lines(count: number, changed: Partial<PrescribedStyle> = {}) {
  const how = { ...style, ...changed };
  return prescribedLines(new Random('lines'), master, 'tuned', count, how, (drug) => !isInjected(drug));
}

describe('prescribedLines', () => {
  it('prints codes that the list knows, unless it says that they are unknown', () => {
    const all = lines(200);
    for (const line of all) expect(master.byCode.has(line.code!), line.code!).toBe(line.known);
    expect(all.some(({ known }) => !known)).toBe(true);
    expect(all.some(({ errors }) => errors.includes('code_old_form'))).toBe(true);
  });

  it('orders drugs that suit the place and are still on the list', () => {
    for (const { drug } of lines(200)) {
      expect(isInjected(drug)).toBe(false);
      expect(priceToday(drug)).not.toBeNull();
    }
  });

  it('prints no code where the page has none', () => {
    expect(lines(20, { codes: false }).every(({ code, known }) => code === null && !known)).toBe(true);
  });
});

describe('prescribedTruth', () => {
  const [line] = lines(1, { unknownShare: 0 });
  const texts = { drugCode: line!.code!, drugName: line!.name, quantity: '1.00', timesPerDay: '3', days: '5' };

  it('has the dose and the days, and no total, price or amount that is not printed', () => {
    const row = prescribedTruth({ line: line!, box, name: line!.name, texts, boxes: {} });
    expect(row.item).toEqual({
      drugCode: line!.code,
      drugName: line!.name,
      quantity: line!.quantity,
      days: line!.days,
      prescribedQty: null,
      unitPrice: null,
      totalAmount: null,
    });
    expect(row).toMatchObject({ status: 'GREEN', priceCheck: 'none', codeInMaster: true, nameTruncated: false });
  });

  it('has price and amount where the page prints them', () => {
    const priced = { ...texts, unitPrice: '1', totalAmount: '1' };
    const { item, priceCheck } = prescribedTruth({ line: line!, box, name: line!.name, texts: priced, boxes: {} });
    const { quantity, timesPerDay, days, drug } = line!;
    expect(item.unitPrice).toBe(priceToday(drug));
    expect(Math.abs(item.totalAmount! - quantity * timesPerDay * days * priceToday(drug)!)).toBeLessThanOrEqual(0.5);
    expect(priceCheck).toBe('current');
  });

  it('calls a name that its column cut truncated', () => {
    const name = line!.name.slice(0, 5);
    expect(prescribedTruth({ line: line!, box, name, texts, boxes: {} })).toMatchObject({
      nameTruncated: true,
      item: { drugName: name },
    });
  });
});

describe('writeDose', () => {
  it('pads to the decimals of the page and never cuts', () => {
    expect([writeDose(1, 0), writeDose(1, 4), writeDose(0.3333, 2), writeDose(7.5, 2)]).toEqual([
      '1',
      '1.0000',
      '0.3333',
      '7.50',
    ]);
  });
});
