import type { Route } from '../functions/shared/http/route.ts';
import type { Role } from '../functions/shared/principal.ts';

const ROLES: readonly Role[] = ['viewer', 'admin', 'owner'];

const INTRODUCTION = `# Roles

Who may call which route: \`npm run roles\` writes this page from the route table, and a test compares the two.

- A **viewer** reads, an **admin** also creates, changes and runs, an **owner** also manages members and API keys, books payments
  and sets the threshold of the low-balance e-mail.
- An **API key** with every scope acts as an owner. One that is narrowed to some services acts as an admin within them; what concerns
  the whole workspace needs every scope.
- Without a valid credential the answer is 401, without the role or the scope 403, and 404 for what another workspace owns.
`;

/** The text of docs/roles.md. */
export function rolesDocument(routes: readonly Route[]): string {
  const head = ['route', ...ROLES, 'API key'];
  const rows = routes.map((route) => [
    `\`${route.method} ${route.path}\``,
    ...ROLES.map((role) => roleCell(route, role)),
    keyCell(route),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${INTRODUCTION}\n${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function roleCell({ auth, role }: Route, held: Role): string {
  if (auth.length === 0) return 'public';
  return ROLES.indexOf(held) >= ROLES.indexOf(role ?? 'viewer') ? 'yes' : '403';
}

function keyCell({ auth, role, scope }: Route): string {
  if (auth.length === 0) return 'public';
  if (!auth.includes('api-key')) return '401';
  if (scope === 'all' || role === 'owner') return 'every scope';
  return scope ?? 'any';
}
