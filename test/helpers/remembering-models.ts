import { createHash } from 'node:crypto';
import { onnxModels } from '../../functions/adapters/readers/onnx-models.ts';
import type { LineReading } from '../../functions/extraction/domain/reading/line-recogniser.ts';
import type { PageModels } from '../../functions/extraction/domain/reading/page-models.ts';

/** The models of `layers/ocr`, for tests that read the same page again and again: the same lines are read once. */
export async function rememberingModels(): Promise<PageModels> {
  const { recogniser, layouts } = await onnxModels();
  const known = new Map<string, Promise<readonly LineReading[]>>();
  return {
    layouts,
    recogniser: {
      recognise(lines) {
        const hash = createHash('sha256');
        for (const { width, height, pixels } of lines) hash.update(`${width} ${height} `).update(pixels);
        const key = hash.digest('hex');
        const readings = known.get(key) ?? recogniser.recognise(lines);
        known.set(key, readings);
        return readings;
      },
    },
  };
}
