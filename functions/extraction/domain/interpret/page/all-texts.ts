import type { PageReading } from '../../reading/table-reader.ts';
import { overlap } from '../print.ts';

/** The texts of the page, line by line; words outside of tables that are side by side form one line. */
export function allTexts(reading: PageReading): readonly string[] {
  const inside = reading.tables.flatMap(({ cells }) =>
    cells.filter(({ blank }) => !blank).map(({ text }) => text.text),
  );
  const outside: { y: number; height: number; text: string }[] = [];
  for (const { box, text } of [...reading.texts].sort((a, b) => a.box.x - b.box.x)) {
    const line = outside.find(({ y, height }) => overlap(y, y + height, box.y, box.y + box.height) > 0.5 * box.height);
    if (line) line.text += text;
    else outside.push({ y: box.y, height: box.height, text });
  }
  return [...outside.map(({ text }) => text), ...inside];
}
