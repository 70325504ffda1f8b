/**
 * `npm run bench import -- <folder>`: takes over the Dify files of a folder, and prints for each whether it is whole (nothing
 * put aside or changed), valid (its draft can be run), or refused, and the most frequent omissions.
 *
 *     npm run bench import -- /tmp/files --quiet
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { jinjaFault } from '../functions/adapters/workflows/jinja-templates.ts';
import { parseYaml } from '../functions/adapters/workflows/yaml-document.ts';
import type { Graph } from '../functions/workflows/domain/graph/graph.ts';
import { errorsAmong } from '../functions/workflows/domain/graph/graph-issue.ts';
import { fromDify } from '../functions/workflows/domain/import/dify/from-dify.ts';
import { allIssues } from '../functions/workflows/domain/manage-workflows.ts';
import { withStoredSecrets } from '../functions/workflows/domain/seal-environment.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quiet: { type: 'boolean', default: false } },
});
const folder = positionals[0];
if (folder === undefined) throw new Error('Name a folder with DSL files: npm run bench import -- <folder>');

/** Templates of Dify files are Jinja2. */
const templates = { faultOf: async (template: string) => jinjaFault(template) };
const files = (await readdir(folder)).filter((name) => /\.ya?ml$/i.test(name)).sort();
/** Files name neither channels nor members. */
const NO_STAFF = { hasChannel: async () => false, addresses: async () => [] };
const counts = { files: files.length, refused: 0, invalid: 0, valid: 0, whole: 0 };
const asides = new Map<string, number>();
const errors = new Map<string, number>();
const emptied = new Map<string, number>();
const count = (into: Map<string, number>, name: string) => into.set(name, (into.get(name) ?? 0) + 1);
/** A kind of message: without the names in it. */
const kindOf = (message: string) => message.replace(/"[^"]*"|\{\{[^}]*\}\}|\S*\d\S*/g, '…').slice(0, 140);

for (const file of files) {
  const line = await outcomeOf(await readFile(join(folder, file), 'utf8'));
  if (!values.quiet) console.log(`${file.padEnd(30)} ${line}`);
}
console.log(
  `\n${counts.files} files: ${counts.whole} whole, ${counts.valid} valid, ${counts.invalid} drafts with errors, ${counts.refused} refused`,
);
for (const [title, found] of [
  ['Put aside or changed', asides],
  ['Errors of drafts', errors],
  ['References that lead nowhere', emptied],
] as const) {
  if (found.size > 0) console.log(`\n${title}:`);
  for (const [name, times] of [...found].sort((a, b) => b[1] - a[1]).slice(0, 25))
    console.log(`${String(times).padStart(4)}  ${name}`);
}

async function outcomeOf(dsl: string): Promise<string> {
  try {
    const { graph, notes } = fromDify(parseYaml(dsl));
    const stored = withStoredSecrets(graph, { ...(graph as Graph), environment: [] });
    const faults = errorsAmong(
      await allIssues(stored, { workspaceId: 'bench', workflowId: 'bench' }, { templates, staff: NO_STAFF }),
    );
    for (const kind of new Set(faults.map(({ message }) => kindOf(message)))) count(errors, kind);
    const aside = notes.filter(({ kind }) => kind === 'missing' || kind === 'changed');
    for (const { kind, type, message } of notes) if (kind === 'empty') count(emptied, `${type}: ${kindOf(message)}`);
    for (const { type, message } of aside) count(asides, `${type}: ${kindOf(message)}`);
    if (faults.length > 0) {
      counts.invalid += 1;
      return `invalid  ${faults
        .map(({ message }) => message)
        .join(' ')
        .slice(0, 300)}`;
    }
    counts.valid += 1;
    if (aside.length > 0)
      return `valid    ${aside
        .map(({ title, message }) => `${title}: ${message}`)
        .join(' ')
        .slice(0, 300)}`;
    counts.whole += 1;
    return 'whole';
  } catch (error) {
    counts.refused += 1;
    return `refused  ${(error as Error).message.slice(0, 200)}`;
  }
}
