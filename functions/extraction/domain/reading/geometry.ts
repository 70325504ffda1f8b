/** Where the table was found, in the terms of the API: boxes in pixels, angles in degrees. */
export interface Geometry {
  /** Counter-clockwise rotation that makes the source upright. */
  readonly rotation: Rotation;
  /** The upload is stored mirrored, as its orientation tag says: it is mirrored left to right before it is turned. */
  readonly mirrored?: true;
  readonly source: Size;
  readonly oriented: Size;
  readonly crop: Crop | null;
}

export type Rotation = 0 | 90 | 180 | 270;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Clockwise: top-left, top-right, bottom-right, bottom-left. */
export type Quad = readonly [Point, Point, Point, Point];

export interface Crop {
  readonly score: number | null;
  readonly corners: Quad;
  readonly box: Rect;
  readonly sourceCorners: Quad;
  readonly sourceBox: Rect;
  /** `box` as ratios, 0 to 1, of the oriented image. */
  readonly normalized: Rect;
}

export interface Rect extends Point, Size {}
