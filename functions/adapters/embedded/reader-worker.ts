import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import { EmbeddedReader } from './embedded-reader.ts';
import { OnnxRecogniser } from './onnx-recogniser.ts';
import type { ReaderRequest, ReaderResponse } from './reader-process.ts';

/** The program of one reader process: reads a page at a time, as its parent asks. */
const [, , ocrFolder = '', threads = '1'] = process.argv;
const recogniser = OnnxRecogniser.load(ocrFolder, { threads: Number(threads) });
const reader = new EmbeddedReader(() => recogniser);

process.on('message', (request: ReaderRequest) => {
  void answer(request).then((response) => process.send?.(response));
});
// Without its parent nobody asks any more.
process.on('disconnect', () => process.exit(0));

async function answer({ id, image }: ReaderRequest): Promise<ReaderResponse> {
  try {
    return { id, reading: await reader.read(image) };
  } catch (error) {
    if (error instanceof ImageRefused) return { id, refusal: error.refusal, message: error.message };
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
