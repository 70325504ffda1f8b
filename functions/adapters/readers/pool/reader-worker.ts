/** The program of a reader process: reads the pages that its parent sends, one at a time, until the parent is gone. */
import { constants, getPriority, setPriority } from 'node:os';
import type { TableReader } from '../../../extraction/domain/reading/table-reader.ts';
import { tableReaders } from '../table-readers.ts';
import { endWithParent } from './end-with-parent.ts';
import {
  describeFailure,
  type PageOutcome,
  type PageToRead,
  type ReaderMessage,
  type ReaderWorkerOptions,
} from './reader-messages.ts';

// Reading takes whole cores for seconds: what answers requests goes first. Level with the programs of the sandbox (sandbox/launcher/program.h).
setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + constants.priority.PRIORITY_BELOW_NORMAL));
process.once('disconnect', () => process.exit());
endWithParent();
// Ctrl-C reaches the whole process group; the parent decides when its readers end.
process.on('SIGINT', () => undefined);

try {
  const {
    modelFolder,
    threads,
    reader: name,
    bedrockModel,
  } = JSON.parse(process.argv[2] ?? '{}') as ReaderWorkerOptions;
  const readerOf = tableReaders({ ocrDirectory: modelFolder, inOwnProcess: false, threads, bedrockModel });
  const reader = await readerOf(name);
  process.on('message', (page: PageToRead) => void read(reader, page));
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'cannot_start', message: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}

async function read(reader: TableReader, { image, template }: PageToRead): Promise<void> {
  const outcome = await reader.read(image, template).then(
    (reading): PageOutcome => ({ kind: 'read', reading }),
    (error: unknown) => describeFailure(error),
  );
  send({ kind: 'page', outcome, memoryMegabytes: process.memoryUsage.rss() / 2 ** 20 });
}

function send(message: ReaderMessage): void {
  process.send?.(message);
}
