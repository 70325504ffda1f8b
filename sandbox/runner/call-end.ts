import * as z from 'zod';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The end of a call in a kept session as the program reports it; untrusted. */
const callEnd = z.object({
  exitCode: z
    .int()
    .transform((code) => code & 0xff)
    .catch(1),
  value: z.string().optional().catch(undefined),
  html: z.string().optional().catch(undefined),
  table: z
    .object({ columns: z.array(z.string()), rows: z.array(z.array(cell)), rowCount: z.int(), columnCount: z.int() })
    .optional()
    .catch(undefined),
  /** Why the code is not a program; nothing has run. */
  invalid: z.string().optional().catch(undefined),
  /** Its time ran out, and the interpreter has interrupted it. */
  timedOut: z.boolean().catch(false),
  /** It has drawn figures into `out/`. */
  shown: z.boolean().catch(false),
});
export type CallEnd = z.output<typeof callEnd>;

/** @returns null for anything but an end */
export function readCallEnd(text: string): CallEnd | null {
  try {
    return callEnd.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
