import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SERVICES = ['accounts', 'channels', 'chat', 'extraction', 'knowledge', 'mcp', 'sandbox', 'system', 'workflows'];

/** Where a service may import another one, in addition to its wiring: the beginnings of paths, with the reason. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  // Money, usage and the audit trail are what all services share.
  extraction: ['accounts/domain/', 'accounts/audit-origin.ts'],
  sandbox: ['accounts/domain/'],
  knowledge: ['accounts/domain/'],
  // Answers cite passages. A chat application of the type workflow runs one: the route names what that takes.
  chat: ['accounts/domain/', 'accounts/audit-origin.ts', 'knowledge/domain/', 'workflows/run-access.ts'],
  // Channels ask chat applications, and send their answers.
  channels: ['accounts/domain/', 'accounts/audit-origin.ts', 'chat/'],
  // Nodes ask models and tools of chat applications, search knowledge, read tables and run programs.
  workflows: [
    ...['accounts/domain/', 'accounts/audit-origin.ts', 'chat/domain/', 'chat/completions/wire.ts'],
    ...['knowledge/domain/', 'extraction/domain/read-table.ts', 'sandbox/domain/run-program.ts', 'sandbox/domain/make-file.ts'],
  ],
  // A door to routes of services: its tools have their schemas, credentials, limits and access. Its wiring calls them.
  mcp: [
    ...['chat/completions/routes.ts', 'chat/completions/schemas.ts', 'chat/domain/application.ts'],
    ...['extraction/domain/read-table.ts', 'extraction/routes.ts', 'extraction/schemas.ts'],
    ...['knowledge/bases/routes.ts', 'knowledge/bases/schemas.ts'],
    ...['sandbox/execute-request.ts', 'sandbox/routes.ts', 'sandbox/schemas.ts'],
  ],
  // Health says whether there is a drug list, and whether programs can be run.
  system: ['extraction/domain/master/', 'sandbox/domain/sandbox-pool.ts'],
};

const serviceOf = (path: string) => SERVICES.find((service) => path.startsWith(`functions/${service}/`));

/** Files and what each imports of this repository, types included. */
function imports(): readonly (readonly [file: string, target: string])[] {
  return globSync('functions/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const found = source.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g);
    return [...found].map(([, from, lazy]) => [file, join(dirname(file), from ?? lazy!)] as const);
  });
}

it('a service imports another one only through its wiring, or where this test lists it', () => {
  const found = imports();
  expect(found.length).toBeGreaterThan(1_000);
  const forbidden = found.filter(([file, target]) => {
    const [from, to] = [serviceOf(file), serviceOf(target)];
    if (
      from === undefined ||
      to === undefined ||
      from === to ||
      [file, target].some((path) => path.endsWith('wiring.ts'))
    )
      return false;
    return !ALLOWED[from]!.some((path) => target.startsWith(`functions/${path}`));
  });
  expect(forbidden.map((pair) => pair.join(' → '))).toEqual([]);
});
