import { describe, expect, it } from 'vitest';
import { joinReadings, partOf } from '../../../../functions/extraction/domain/reading/reading-parts.ts';
import type { Reading } from '../../../../functions/extraction/domain/reading/table-reader.ts';

function rated(text: string, letters: readonly number[]): Reading {
  return { text, letters, confidence: letters.reduce((product, letter) => product * letter, 1) };
}

describe('a part of a reading', () => {
  it('is as sure as its own letters', () => {
    const reading = rated('12정', [0.9, 1, 0.5]);
    expect(partOf(reading, 0, 2)).toEqual({ text: '12', letters: [0.9, 1], confidence: 0.9 });
    expect(partOf({ text: '12정', confidence: 0.45 }, 0, 2)).toEqual({ text: '12', confidence: 0.45 });
  });

  it('keeps its letters when it is put together with others', () => {
    const joined = joinReadings([rated('1', [0.5]), rated('정', [0.8])], ' ');
    expect(joined).toEqual({ text: '1 정', letters: [0.5, 1, 0.8], confidence: 0.4 });
    expect(joinReadings([rated('1', [0.5]), { text: '정', confidence: 0.8 }]).letters).toBeUndefined();
  });
});
