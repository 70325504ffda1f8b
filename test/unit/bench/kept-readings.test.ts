import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepingReader } from '../../../bench/kept-readings.ts';
import { truthReader } from '../../../bench/truth-reader.ts';
import type { TableReader } from '../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../functions/extraction/domain/templates.ts';
import { pageTruth } from './lines.ts';

const template = findTemplate('default')!;

describe('keepingReader', () => {
  it('reads each picture once, and returns the kept reading the next time', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'readings-')), 'new');
    const read: number[] = [];
    const reader: TableReader = {
      read: (image, ...rest) => {
        read.push(image[0]!);
        return truthReader(pageTruth([])).read(image, ...rest);
      },
    };
    const first = await keepingReader(reader, folder).read(Uint8Array.of(1), template);
    const again = await keepingReader(reader, folder).read(Uint8Array.of(1), template);
    await keepingReader(reader, folder).read(Uint8Array.of(2), template);
    expect(again).toEqual(first);
    expect(read).toEqual([1, 2]);
  });
});
