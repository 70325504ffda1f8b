import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageReading, TableReader } from '../functions/extraction/domain/reading/table-reader.ts';

/**
 * A reader that keeps its readings in a folder and reads no picture twice: judging can then be measured again in seconds. Give every
 * version of the reader its own folder.
 */
export function keepingReader(reader: TableReader, folder: string): TableReader {
  mkdirSync(folder, { recursive: true });
  return {
    read: async (image, template) => {
      const name = createHash('sha256').update(image).update(template.id).digest('hex').slice(0, 32);
      const file = join(folder, `${name}.json`);
      if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as PageReading;
      const reading = await reader.read(image, template);
      // Renamed when whole: a run that is stopped leaves no half of one.
      writeFileSync(`${file}.tmp`, JSON.stringify(reading));
      renameSync(`${file}.tmp`, file);
      return reading;
    },
  };
}
