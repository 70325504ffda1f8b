import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type {
  LineImage,
  LineReading,
  LineRecogniser,
} from '../../functions/extraction/domain/reading/line-recogniser.ts';

/**
 * A recogniser that keeps what it reads in a file, line by line, and reads no line twice: pages can then be read again by another
 * version of everything around it, without the network that takes most of the time.
 */
export function keptLines(recogniser: LineRecogniser, file: string): LineRecogniser {
  mkdirSync(dirname(file), { recursive: true });
  const known = new Map<string, LineReading>();
  if (existsSync(file))
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const [key, reading] = JSON.parse(line) as [string, LineReading];
      known.set(key, reading);
    }
  return {
    async recognise(lines) {
      const keys = lines.map(keyOf);
      const unread = [...new Set(keys)].filter((key) => !known.has(key));
      const read = await recogniser.recognise(unread.map((key) => lines[keys.indexOf(key)]!));
      unread.forEach((key, index) => {
        known.set(key, read[index]!);
      });
      if (unread.length > 0)
        appendFileSync(file, `${unread.map((key) => JSON.stringify([key, known.get(key)])).join('\n')}\n`);
      return keys.map((key) => known.get(key)!);
    },
  };
}

function keyOf({ width, height, pixels }: LineImage): string {
  return createHash('sha256').update(`${width} ${height} `).update(pixels).digest('base64').slice(0, 24);
}
