/** Longer than any character of several code points that is met in practice. */
const MAX_CHARACTER_LENGTH = 64;
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The last place up to `room` that is between two characters as they are seen; at the least not within a surrogate pair. */
export function characterBreak(text: string, room: number): number {
  const from = Math.max(0, room - MAX_CHARACTER_LENGTH);
  const start = isWithinPair(text, from) ? from + 1 : from;
  const around = text.slice(start, room + MAX_CHARACTER_LENGTH);
  let best = 0;
  for (const { index } of characters.segment(around)) if (start + index <= room) best = start + index;
  if (best > start) return best;
  return isWithinPair(text, room) && room > 1 ? room - 1 : room;
}

function isWithinPair(text: string, index: number): boolean {
  return /[\ud800-\udbff]/.test(text[index - 1] ?? '') && /[\udc00-\udfff]/.test(text[index] ?? '');
}
