import { MasterFileError } from '../../extraction/domain/master/master-file.ts';
import type { PackedOwnList } from '../../extraction/domain/master/own-list.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import { SheetError } from '../../shared/sheet-error.ts';
import { BoundedThreads, serveThread, type ThreadLimits, ThreadStopped } from '../threads/bounded-threads.ts';

/** A list of 100,000 rows takes two seconds. */
const LIMITS: ThreadLimits = { seconds: 20, heapMb: 768 };
const NAME = 'tripod-own-list-thread';
const OPTIONS = { module: import.meta.url, name: NAME, threads: 2, threadsPerTenant: 1, areKept: false } as const;

interface Job {
  readonly base64: string;
  readonly updatedAt: string;
}

type Outcome = PackedOwnList | { readonly refused: string };

const threads = new BoundedThreads<Job, Outcome>({ ...OPTIONS, ...LIMITS });

/**
 * The list of a spreadsheet or CSV file that came as base64, read in a thread.
 * @param updatedAt ISO time, which becomes the version.
 * @throws SheetError, TooBusy
 */
export async function threadedOwnList(base64: string, updatedAt: string, caller: JobCaller): Promise<PackedOwnList> {
  const outcome = await threads.run({ base64, updatedAt }, caller).catch((cause: unknown) => {
    if (!(cause instanceof ThreadStopped)) throw cause;
    const message = `Reading the list takes more than ${LIMITS.seconds} seconds or ${LIMITS.heapMb} MB. Send only the rows that differ from the official list, as CSV.`;
    throw new SheetError(message, { cause });
  });
  if ('refused' in outcome) throw new SheetError(outcome.refused);
  return outcome;
}

serveThread<Job>(NAME, async ({ base64, updatedAt }): Promise<Outcome> => {
  const [{ ownListRows }, { ownMaster }, { packMaster }] = await Promise.all([
    import('./own-list-rows.ts'),
    import('../../extraction/domain/master/own-list.ts'),
    import('./master-bytes.ts'),
  ]);
  try {
    const data = ownMaster(await ownListRows(base64), updatedAt);
    return { packed: await packMaster(data), rows: data.drugs.length, updatedAt };
  } catch (error) {
    if (error instanceof SheetError || error instanceof MasterFileError) return { refused: error.message };
    throw error;
  }
});
