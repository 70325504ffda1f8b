import { describe, expect, it } from 'vitest';
import { transpose } from '../../../../functions/extraction/domain/reading/transpose.ts';

describe('rows and columns exchanged', () => {
  it.each([
    [1, 1],
    [4, 4],
    [3, 9],
    [70, 5],
    [66, 131],
  ])('%i across and %i down', (width, height) => {
    // Not from the start of its memory: what sharp decodes is not either.
    const bytes = new Uint8Array(width * height + 3).map((_, i) => (i * 7) % 256).subarray(3);
    const turned = transpose(bytes, width, height);
    expect(turned).toEqual(bytes.map((_, i) => bytes[(i % height) * width + Math.floor(i / height)]!));
  });
});
