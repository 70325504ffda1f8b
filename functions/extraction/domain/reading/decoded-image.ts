import type { Rotation, Size } from './geometry.ts';
import type { Raster } from './raster.ts';

/**
 * Decodes the first page of an untrusted image; a port, since codecs are native.
 * @throws ImageRefused when the bytes are not a supported type, too large, or damaged.
 */
/** @param page of a document, from 1; undefined: the first one, and `pageCount` says how many there are. */
export type ImageDecoder = (bytes: Uint8Array, page?: number) => Promise<DecodedImage>;

export interface DecodedImage {
  /** Gray, on white paper, of at most 7 megapixels; as it is stored, but never mirrored. */
  readonly raster: Raster;
  /** Of the upload as it is stored: a turn by the orientation tag is not applied. */
  readonly source: Size;
  readonly orientation: Orientation;
  readonly pageCount: number;
}

/** A camera's orientation tag. It is only a hint: the text on the page is more reliable. */
export interface Orientation {
  /** The stored picture is mirrored left to right; the raster is mirrored back. */
  readonly mirrored: boolean;
  /** Counter-clockwise, after mirroring. */
  readonly turn: Rotation;
}

export const AS_STORED: Orientation = { mirrored: false, turn: 0 };
