import { describe, expect, it } from 'vitest';
import { isLine } from '../../../../../functions/extraction/domain/interpret/lists/line-rows.ts';
import { drugLine } from '../../../../helpers/drug-table.ts';

describe('a row of a list', () => {
  const ofCode = (value: string, confidence: number, more = {}) => {
    return { ...drugLine(more), drugCode: { value, text: value, confidence } };
  };

  it('is a line where its code was read, and none where strokes were read as digits', () => {
    expect(isLine(ofCode('640500010', 0.4), false)).toBe(true);
    expect(isLine(ofCode('9060190', 0.01), false)).toBe(false);
    expect(isLine(ofCode('9060190', 0.01, { quantity: 1 }), false)).toBe(true);
  });
});
