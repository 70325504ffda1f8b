import { strToU8, zipSync } from 'fflate';
import { sheetRows } from '../../../functions/adapters/codecs/sheet-rows.ts';
import { SheetError } from '../../../functions/shared/sheet-error.ts';
import { workbook } from '../../helpers/workbook.ts';
import { Finding } from '../finding.ts';
import { mutated } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

/** Damaged lists of drugs. */
export const spreadsheets: FuzzTarget = {
  name: 'spreadsheets',
  async start() {
    const files = workbook({ A1: '제품코드', B1: '제품명', A2: '640000010', B2: '가람정' });
    const csv = Buffer.from('제품코드,제품명\n640000010,"가,나"\n');
    return {
      async input(random) {
        if (random.chance(0.3)) return mutated(csv, random);
        // Damages the packed content: damage to the archive itself seldom gets past its checksums.
        const damaged = Object.entries(files).map(([name, xml]) => {
          const bytes = Buffer.from(strToU8(xml));
          return [name, random.chance(0.5) ? mutated(bytes, random) : bytes] as const;
        });
        const archive = Buffer.from(zipSync(Object.fromEntries(damaged)));
        return random.chance(0.2) ? mutated(archive, random) : archive;
      },
      async attempt(input) {
        await sheetRows(input).catch((error: unknown) => {
          if (!(error instanceof SheetError))
            throw new Finding(`The list was not refused, but failed: ${String(error)}`);
        });
      },
    };
  },
};
