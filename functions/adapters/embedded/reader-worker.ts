/** The program of a reader process: reads the pages that its parent sends, one at a time, until the parent is gone. */
import { constants, setPriority } from 'node:os';
import { EmbeddedReader } from './embedded-reader.ts';
import { OnnxRecogniser } from './onnx-recogniser.ts';
import { describeFailure, type ReaderMessage, type ReaderWorkerOptions } from './reader-messages.ts';

// Reading takes whole cores for seconds: whoever answers requests goes first.
setPriority(constants.priority.PRIORITY_LOW);
process.once('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the parent decides when its readers end.
process.on('SIGINT', () => undefined);

try {
  const { modelFolder, threads } = JSON.parse(process.argv[2] ?? '{}') as ReaderWorkerOptions;
  const reader = new EmbeddedReader(await OnnxRecogniser.load(modelFolder, { threads }));
  process.on('message', (image: Uint8Array) => void answer(reader, image));
  tell({ kind: 'ready' });
} catch (error) {
  tell({ kind: 'cannot_start', message: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}

async function answer(reader: EmbeddedReader, image: Uint8Array): Promise<void> {
  try {
    const reading = await reader.read(image);
    tell({ kind: 'read', reading, memoryMegabytes: process.memoryUsage.rss() / 2 ** 20 });
  } catch (error) {
    tell(describeFailure(error));
  }
}

function tell(message: ReaderMessage): void {
  process.send?.(message);
}
