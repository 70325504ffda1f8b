import { availableParallelism } from 'node:os';
import path from 'node:path';
import { LETTER_IDS, NUMBERS } from '../../extraction/domain/interpret/learned/print-features.ts';
import type {
  EncodedPrints,
  TableNetwork,
  TableOdds,
} from '../../extraction/domain/interpret/learned/table-network.ts';
import { MODEL_FOLDER } from './model-folder.ts';
import { type OnnxSession, onnxSession } from './onnx-session.ts';

/** The network of tables on ONNX Runtime. The time of a run grows with the square of the number of prints. */
export class OnnxTableNetwork implements TableNetwork {
  readonly #onnx: OnnxSession;

  private constructor(onnx: OnnxSession) {
    this.#onnx = onnx;
  }

  /** @param folder holds `tables.onnx`. */
  static async load(folder = MODEL_FOLDER, { threads = availableParallelism() } = {}): Promise<OnnxTableNetwork> {
    return new OnnxTableNetwork(await onnxSession(path.join(folder, 'tables.onnx'), threads));
  }

  async run({ count, ids, numbers, boxes, cells }: EncodedPrints): Promise<TableOdds> {
    if (count === 0) return { roles: new Float32Array(0), anchors: new Float32Array(0) };
    const { runtime, session } = this.#onnx;
    const { roles, anchors } = await session.run({
      ids: new runtime.Tensor('int64', ids, [1, count, LETTER_IDS]),
      numbers: new runtime.Tensor('float32', numbers, [1, count, NUMBERS]),
      boxes: new runtime.Tensor('float32', boxes, [1, count, 4]),
      cells: new runtime.Tensor('float32', cells, [1, count, 4]),
    });
    return { roles: roles!.data as Float32Array, anchors: anchors!.data as Float32Array };
  }
}
