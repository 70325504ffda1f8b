import { describe, expect, it } from 'vitest';
import { lookOf, stepOf } from '../../../bench/page/steps.ts';
import { Stopwatch } from '../../../bench/page/stopwatch.ts';
import type { LineReading, LineRecogniser } from '../../../functions/extraction/domain/reading/line-recogniser.ts';
import { readCuts } from '../../../functions/extraction/domain/reading/read-cuts.ts';

const frame = (url: string, functionName = '') => ({ url: `file:///app/functions/extraction/${url}`, functionName });

describe('stepOf', () => {
  it('names the step of the innermost file that has one', () => {
    const finding = frame('domain/reading/structure/tables/grid.ts');
    expect(stepOf([finding, frame('domain/reading/page/prepare-page.ts')])).toBe('find');
    expect(stepOf([frame('domain/median.ts'), frame('domain/interpret/learned/decode-lines.ts')])).toBe(
      'network of tables',
    );
    expect(stepOf([frame('domain/master/drug-name.ts'), frame('domain/judging/check-name.ts')])).toBe('judge');
    expect(stepOf([frame('', '(garbage collector)')])).toBe('garbage collection');
    expect(stepOf([frame('domain/median.ts')])).toBe('other');
  });

  it('leaves out parts of a measured call', () => {
    const scaling = frame('domain/reading/resize-line.ts');
    expect(stepOf([frame('../adapters/readers/onnx-recogniser.ts'), scaling])).toBeNull();
  });
});

describe('lookOf', () => {
  it('distinguishes the calls of the reader by their callers', async () => {
    const looks: string[] = [];
    const reading = { text: '12', confidence: 0.5 };
    const recogniser: LineRecogniser = {
      recognise: async (lines): Promise<readonly LineReading[]> => {
        if (lines.length > 0) looks.push(lookOf(new Error('a look').stack ?? ''));
        return lines.map(() => ({ text: reading, numeral: reading }));
      },
    };
    const clean = { width: 20, height: 10, pixels: new Uint8Array(200) };
    const again = { length: 1, cut: () => clean, join: (first: LineReading) => first };
    await readCuts(
      [
        { clean, again },
        { clean, again: null },
      ],
      recogniser,
    );
    expect(looks).toEqual([
      'recognise: first look',
      'recognise: again, what rules and marks share',
      'recognise: again, unsure numbers',
    ]);
  });
});

describe('Stopwatch', () => {
  it('adds the processor time of calls by step, of those that fail too', async () => {
    const watch = new Stopwatch();
    const busy = async () => {
      const until = process.cpuUsage().user + 20_000;
      while (process.cpuUsage().user < until) Math.hypot(...Array.from({ length: 10_000 }, (_, n) => n));
    };
    await watch.time('interpret', busy);
    const failing = async () => {
      await busy();
      throw new Error('no page');
    };
    await expect(watch.time('find', failing)).rejects.toThrow('no page');
    expect(watch.seconds.get('interpret')).toBeGreaterThan(0.015);
    expect(watch.seconds.get('find')).toBeGreaterThan(0.015);
  });
});
