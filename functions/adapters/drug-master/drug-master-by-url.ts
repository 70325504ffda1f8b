import type { DrugMasterSource } from '../../extraction/domain/master/drug-master-source.ts';

const shared = new Map<string, Promise<DrugMasterSource>>();

/** The one source of this process for the setting DRUG_MASTER: all who use it share the master in memory. */
export function sharedDrugMaster(url: string): Promise<DrugMasterSource> {
  const source = shared.get(url) ?? drugMasterByUrl(url);
  shared.set(url, source);
  return source;
}

/**
 * The source that the setting DRUG_MASTER names: `file:///data/master/drug-master.tsv.gz` or `s3://bucket/key`.
 * Make it once a runtime, or take the shared one: it holds the master in memory.
 */
export async function drugMasterByUrl(url: string): Promise<DrugMasterSource> {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol === 'file:') {
    const { FileDrugMaster } = await import('./file-drug-master.ts');
    return new FileDrugMaster(new URL(url));
  }
  if (protocol === 's3:') {
    const { S3DrugMaster, s3Location } = await import('./s3-drug-master.ts');
    return new S3DrugMaster(s3Location(url));
  }
  throw new Error(
    `DRUG_MASTER is ${JSON.stringify(url)}; it must be a URL like file:///data/drug-master.tsv.gz or s3://bucket/key.`,
  );
}
