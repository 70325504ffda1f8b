import { describe, expect, it } from 'vitest';
import {
  decodeMaster,
  encodeMaster,
  type MasterData,
} from '../../../../functions/extraction/domain/master/master-file.ts';

const MASTER: MasterData = {
  info: { version: '2026-11-01', dates: ['2026-10-01', '2026-11-01'], source: '심평원', attribution: '공공누리' },
  drugs: [
    {
      code: '640000010',
      name: '가람정',
      maker: '',
      unit: '1 정',
      oldCodes: ['A01508421', '640000000'],
      prices: [
        { from: '2025-01-01', krw: 112, listed: true },
        { from: '2026-01-01', krw: null, listed: true },
        { from: '2026-10-01', krw: null, listed: false },
      ],
    },
    { code: '640000020', name: '나래정', maker: '나래', unit: '', oldCodes: [], prices: [] },
  ],
};

describe('the master file', () => {
  it('gives back old codes, drugs without a price, and drugs with only a name', () => {
    expect(decodeMaster(encodeMaster(MASTER))).toEqual(MASTER);
  });

  it('of format 1 is still read, without old codes', () => {
    const text =
      'tripod-drug-master\t1\t1\t2026-10-01 2026-11-01\n640000010\t가람정\t가람\t1정\t20261001:100 20261101:-\n';
    expect(decodeMaster(text)).toEqual({
      info: { version: '2026-11-01', dates: ['2026-10-01', '2026-11-01'], source: '', attribution: '' },
      drugs: [
        {
          code: '640000010',
          name: '가람정',
          maker: '가람',
          unit: '1정',
          oldCodes: [],
          prices: [
            { from: '2026-10-01', krw: 100, listed: true },
            { from: '2026-11-01', krw: null, listed: false },
          ],
        },
      ],
    });
  });

  it('of format 1 that came with its own history is as new as its newest price', () => {
    const text = 'tripod-drug-master\t1\t1\t\n640000010\t가람정\t가람\t1정\t20261001:100 20261101:90\n';
    expect(decodeMaster(text).info.version).toBe('2026-11-01');
  });

  it.each([
    ['of a later format', 'tripod-drug-master\t3\t0\t\n', /has format 3; this version reads formats 1 and 2/],
    ['that is cut off', encodeMaster(MASTER).split('640000020')[0]!, /holds 1 drugs of 2/],
    ['whose header is cut off', encodeMaster(MASTER).slice(0, 60), /damaged/],
    ['that is not one', 'Dear Sir', /not a drug master file/],
  ])('%s is refused', (_case, text, message) => {
    expect(() => decodeMaster(text)).toThrow(message);
  });
});
