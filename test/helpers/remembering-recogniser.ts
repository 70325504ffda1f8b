import { createHash } from 'node:crypto';
import { OnnxRecogniser } from '../../functions/adapters/readers/onnx-recogniser.ts';
import type { LineReading, LineRecogniser } from '../../functions/extraction/domain/reading/line-recogniser.ts';

/** The recogniser of `layers/ocr`, for tests that read the same page again and again: it reads the same lines once. */
export async function rememberingRecogniser(): Promise<LineRecogniser> {
  const recogniser = await OnnxRecogniser.load('layers/ocr');
  const known = new Map<string, Promise<readonly LineReading[]>>();
  return {
    recognise(lines) {
      const hash = createHash('sha256');
      for (const { width, height, pixels } of lines) hash.update(`${width} ${height} `).update(pixels);
      const key = hash.digest('hex');
      const readings = known.get(key) ?? recogniser.recognise(lines);
      known.set(key, readings);
      return readings;
    },
  };
}
