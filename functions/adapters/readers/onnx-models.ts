import type { PageModels } from '../../extraction/domain/reading/page-models.ts';
import { MODEL_FOLDER } from './model-folder.ts';
import { OnnxLayoutFinder } from './onnx-layout-finder.ts';
import { OnnxRecogniser } from './onnx-recogniser.ts';

/** The models of `layers/ocr`. @param threads absent: as many as there are cores. */
export async function onnxModels(
  folder = MODEL_FOLDER,
  using: { readonly threads?: number } = {},
): Promise<PageModels> {
  const [recogniser, layouts] = await Promise.all([
    OnnxRecogniser.load(folder, using),
    OnnxLayoutFinder.load(folder, using),
  ]);
  return { recogniser, layouts };
}
