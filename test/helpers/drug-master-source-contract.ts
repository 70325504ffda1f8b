import { describe, expect, it } from 'vitest';
import { packMaster } from '../../functions/adapters/drug-master/master-bytes.ts';
import type { DrugMasterSource } from '../../functions/extraction/domain/master/drug-master-source.ts';
import type { MasterData } from '../../functions/extraction/domain/master/master-file.ts';
import { masterData } from './master-data.ts';

/** A source with its real store, as a test sees it; it checks for a newer master at every call. */
export interface SourceUnderTest {
  readonly source: DrugMasterSource;
  /** Imports a master, as the command does. */
  import(data: MasterData): Promise<void>;
  /** Puts bytes where the master is, past every check. */
  overwrite(bytes: Uint8Array): Promise<void>;
}

/** The contract of DrugMasterSource: run it with each adapter. @param open makes one whose store has the shipped list alone. */
export function describeDrugMasterSource(name: string, open: () => Promise<SourceUnderTest>): void {
  describe(`${name} as a source of the drug master`, () => {
    it('serves the shipped list until a list is imported, and then the list', async () => {
      const under = await open();
      expect((await under.source.current()).size).toBeGreaterThan(24_000);
      await under.import(masterData('2026-10-01'));
      expect(await under.source.current()).toMatchObject({ size: 1, info: { version: '2026-10-01' } });
    });

    it('loads a list once, and a newer one as soon as it is imported', async () => {
      const under = await open();
      await under.import(masterData('2026-10-01'));
      const first = await under.source.current();
      expect(first.find('640000010')?.prices).toEqual([{ from: '2026-10-01', krw: 100, listed: true }]);
      expect(await under.source.current()).toBe(first);
      await under.import(masterData('2026-11-01', 90));
      const second = await under.source.current();
      expect(second.info.version).toBe('2026-11-01');
      expect(second.find('640000010')?.prices).toEqual([{ from: '2026-11-01', krw: 90, listed: true }]);
    });

    it('serves calls at the same time from one master', async () => {
      const under = await open();
      await under.import(masterData('2026-10-01'));
      const masters = await Promise.all(Array.from({ length: 5 }, () => under.source.current()));
      expect(new Set(masters).size).toBe(1);
    });

    it('reports the fault of a damaged master, and serves it once it is repaired', async () => {
      const under = await open();
      await under.overwrite(Buffer.from('rubbish'));
      await expect(under.source.current()).rejects.toThrow(/not a drug master/);
      const packed = await packMaster(masterData('2026-10-01'));
      await under.overwrite(packed.subarray(0, packed.length - 12));
      await expect(under.source.current()).rejects.toThrow(/damaged/);
      await under.import(masterData('2026-11-01'));
      expect((await under.source.current()).info.version).toBe('2026-11-01');
    });
  });
}
