import type { DrugMasterSource } from '../../extraction/domain/master/drug-master-source.ts';
import { judgeInProcess, type PageJudge } from '../../extraction/domain/page-judge.ts';
import { drugMasterByUrl } from '../drug-master/drug-master-by-url.ts';
import { type ReaderChoice, type ReaderSettings, readerFor, tableReaders } from './table-readers.ts';

export interface JudgeSettings extends ReaderSettings {
  readonly reader: ReaderChoice;
  /** URL of the drug master to judge by, as `drugMasterByUrl` takes it. */
  readonly drugMaster: string;
}

/** A judge in this process, with the deployment's reader ready. */
export async function openJudge({ reader, drugMaster, ...settings }: JudgeSettings): Promise<PageJudge> {
  const readerOf = tableReaders(settings);
  const [master] = await Promise.all([loading(drugMaster), readerOf(reader.usual)]);
  return judgeInProcess((template) => readerOf(readerFor(template, reader)), master);
}

/** The list is loaded beside the models; where it cannot be had, each page says why. */
async function loading(url: string): Promise<DrugMasterSource> {
  const master = await drugMasterByUrl(url);
  master.current().catch(() => undefined);
  return master;
}
