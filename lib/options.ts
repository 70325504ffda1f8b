import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { optionSchemas } from './config.ts';

/** Context keys that are not options: the CDK's own, which have a colon, an @ or a slash in them, and these. */
const OTHER_CONTEXT: readonly string[] = ['cli-telemetry', 'acknowledged-issue-numbers', 'watch'];

/** Throws if the command line names an option that does not exist: the deployment would silently lack it. */
export function requireKnownOptions(names: readonly string[], place: string): void {
  const known = Object.keys(optionSchemas);
  const unknown = names.filter(
    (name) => !known.includes(name) && !/[:@/]/.test(name) && !OTHER_CONTEXT.includes(name) && name !== '$schema',
  );
  if (unknown.length === 0) return;
  const lines = unknown.map((name) => {
    const [nearest] = known.toSorted((a, b) => distance(name, a) - distance(name, b));
    return `  ${name}: did you mean ${nearest}?`;
  });
  throw new Error(
    `${place} names options that do not exist:\n${lines.join('\n')}\ndocs/configuration.md lists all of them.`,
  );
}

/** The options of a stage's file, `<folder>/<stage>.json`; none where there is no file. @throws Error that names the file */
export function optionsOf(folder: string, stage: string): Readonly<Record<string, unknown>> {
  const path = join(folder, `${stage}.json`);
  if (!/^[a-z][a-z0-9]*$/.test(stage) || !existsSync(path)) return {};
  const options = parsed(path);
  requireKnownOptions(Object.keys(options), path);
  const { $schema, stage: named = stage, ...rest } = options;
  if (named !== stage)
    throw new Error(`${path} is the file of the stage ${stage}, and names the stage ${String(named)}.`);
  return rest;
}

function parsed(path: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new Error(`${path} is not a JSON object.`, { cause });
  }
}

/** JSON Schema of an options file, for editors: the same names, types and bounds. */
export function optionsJsonSchema(): object {
  const schema = z.strictObject({ $schema: z.string().optional(), ...optionSchemas });
  const { description, properties, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    description?: string;
    properties: Record<string, object>;
  };
  // Command-line values are texts: types that the schema coerces are left open.
  return { ...rest, title: 'Options of a deployment of Tripod', properties };
}

/** Levenshtein. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter.toLowerCase() === other.toLowerCase() ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length]!;
}
