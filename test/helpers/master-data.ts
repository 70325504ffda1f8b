import type { MasterData } from '../../functions/extraction/domain/master/master-file.ts';

/** A list of one drug, as an import of that date leaves it. */
export const masterData = (date: string, krw = 100): MasterData => ({
  info: { version: date, dates: [date], source: '', attribution: '' },
  drugs: [
    {
      code: '640000010',
      name: '가람정',
      maker: '가람',
      unit: '1정',
      oldCodes: [],
      prices: [{ from: date, krw, listed: true }],
    },
  ],
});
