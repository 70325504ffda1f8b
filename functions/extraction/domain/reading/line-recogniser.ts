import type { Reading } from './table-reader.ts';

/** Turns pictures of single text lines into text. A port, so that model and dictionary can be replaced together. */
export interface LineRecogniser {
  /** Reads all lines in as few passes as the adapter can; the result has the order of the input. */
  recognise(lines: readonly LineImage[]): Promise<readonly LineReading[]>;
}

/** 8-bit gray pixels, row by row, without padding; dark ink on a light ground. */
export interface LineImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface LineReading {
  readonly text: Reading;
  /** The same network output decoded with only `0-9 , . -` allowed. */
  readonly numeral: Reading;
}
