import { resolve } from 'node:path';
import * as z from 'zod';

export interface LocalSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly debug: boolean;
}

/** A setting that cannot be used; the message names the variable and says what it may be. */
export class InvalidSetting extends Error {}

const schema = z.object({
  PORT: z
    .string()
    .default('3000')
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      'a whole number from 0 to 65535 (0: any free port)',
    )
    .transform(Number),
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine((text) => /^[\w.:-]+$/.test(text), 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0'),
  TRIPOD_DATA_DIR: z
    .string()
    .default('.local')
    .refine((text) => text.trim() !== '', 'the path of a directory'),
  DEBUG: z
    .string()
    .default('0')
    .transform((text) => text.toLowerCase())
    .refine(
      (text) => ['', '0', '1', 'false', 'true'].includes(text),
      '1 or true to switch it on, 0 or false to switch it off',
    )
    .transform((text) => text === '1' || text === 'true'),
});

/**
 * The settings of the local service from the environment.
 * @throws InvalidSetting
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): LocalSettings {
  const result = schema.safeParse(environment);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `${name} is ${JSON.stringify(environment[name])}; it must be ${message}.`;
    });
    throw new InvalidSetting(lines.join('\n'));
  }
  const { PORT, HOST, TRIPOD_DATA_DIR, DEBUG } = result.data;
  return { host: HOST, port: PORT, dataDirectory: resolve(TRIPOD_DATA_DIR), debug: DEBUG };
}
