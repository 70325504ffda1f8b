import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { PDFiumLibrary } from '@hyzyla/pdfium';
import { memoizeAsync } from '../../shared/memoize-async.ts';

/** An A4 scan at 600 dots an inch in colour takes 104 MB decoded. Forms nested in forms would take all there is. */
export const MAX_PDFIUM_BYTES = 512 * 2 ** 20;

/** A PDFium instance with separate memory, and whether it is still intact. */
export interface PdfiumInstance {
  readonly library: PDFiumLibrary;
  /** Set when a document asked for more memory than there is: PDFium then aborts, and its state is undefined. */
  readonly exhausted: () => boolean;
  readonly bytes: () => number;
}

/** A new instance: a document can abort PDFium itself, by the memory that it takes or by a fault in the library. */
export async function instantiatePdfium(): Promise<PdfiumInstance> {
  const [{ PDFiumLibrary }, program] = await Promise.all([import('@hyzyla/pdfium'), pdfiumProgram()]);
  const state = { isExhausted: false, memory: null as WebAssembly.Memory | null };
  const library = await PDFiumLibrary.init({
    // Typed by the package with its two arguments the other way round.
    instantiateWasm: ((imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(program, { ...imports, env: limited(imports.env!, state) });
      state.memory = instance.exports.memory as WebAssembly.Memory;
      onInstance(instance);
      return instance.exports;
    }) as never,
  });
  return { library, exhausted: () => state.isExhausted, bytes: () => state.memory?.buffer.byteLength ?? 0 };
}

/** The imports of PDFium with a lower limit of memory: the build itself allows 2 GB. */
function limited(env: WebAssembly.ModuleImports, state: { isExhausted: boolean }): WebAssembly.ModuleImports {
  const grow = env.emscripten_resize_heap as (requestedBytes: number) => boolean;
  return {
    ...env,
    emscripten_resize_heap(requestedBytes: number) {
      // Unsigned in C, signed on its way here.
      if (requestedBytes >>> 0 <= MAX_PDFIUM_BYTES) return grow(requestedBytes);
      state.isExhausted = true;
      return false;
    },
  };
}

/** Compiled once: a new instance of it takes milliseconds. */
const pdfiumProgram = memoizeAsync(async () =>
  WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'))),
);
