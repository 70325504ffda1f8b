import type { DrugMasterSource } from '../../extraction/domain/master/drug-master-source.ts';
import type { OwnLists } from '../../extraction/domain/master/own-list.ts';
import { judgeInProcess, type PageJudge } from '../../extraction/domain/page-judge.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { sharedDrugMaster } from '../drug-master/drug-master-by-url.ts';
import { type ReaderChoice, type ReaderSettings, readerFor, tableReaders } from './table-readers.ts';

export interface JudgeSettings extends ReaderSettings {
  readonly reader: ReaderChoice;
  /** URL of the drug master to judge by, as `drugMasterByUrl` takes it. */
  readonly drugMaster: string;
  /** Bucket of the drug lists of workspaces. */
  readonly formularies: string;
}

/** A judge in this process, with the deployment's reader ready. */
export async function openJudge({ reader, drugMaster, formularies, ...settings }: JudgeSettings): Promise<PageJudge> {
  const readerOf = tableReaders(settings);
  const tableNetwork = memoizeAsync(async () => {
    const { OnnxTableNetwork } = await import('./onnx-table-network.ts');
    const { ocrDirectory, threads } = settings;
    return OnnxTableNetwork.load(ocrDirectory, threads === undefined ? {} : { threads });
  });
  const [source] = await Promise.all([loading(drugMaster), readerOf(reader.usual), tableNetwork()]);
  return judgeInProcess({
    readerFor: (template) => readerOf(readerFor(template, reader)),
    source,
    ownLists: ownListsOf(formularies),
    tableNetwork,
  });
}

/** S3's client is loaded by the first page of a workspace. */
function ownListsOf(bucket: string): OwnLists {
  const lists = memoizeAsync(async () => {
    const [{ S3OwnLists }, { s3Client }] = await Promise.all([
      import('../drug-master/s3-own-lists.ts'),
      import('../s3/client.ts'),
    ]);
    return new S3OwnLists(bucket, s3Client());
  });
  return { of: async (workspaceId) => (await lists()).of(workspaceId) };
}

/** The list is loaded in parallel with the models; if it is unavailable, each page reports the reason. */
async function loading(url: string): Promise<DrugMasterSource> {
  const master = await sharedDrugMaster(url);
  master.current().catch(() => undefined);
  return master;
}
