import type { Route } from '../../functions/shared/http/route.ts';
import type { Role } from '../../functions/shared/principal.ts';
import { table } from './table.ts';

const ROLES: readonly Role[] = ['viewer', 'admin', 'owner'];

const INTRODUCTION = `# Roles

Which role and which API key may call which route. Generated from the route table by \`npm run docs\`.

- A **viewer** reads. An **admin** also creates, changes and runs. An **owner** also manages members and API keys, posts
  payments and sets the threshold of the low-balance e-mail.
- An **API key** with every scope acts as an owner. A key with fewer scopes acts as an admin within these services; routes
  that concern the whole workspace need a key with every scope.
- A missing or invalid credential is 401, a missing role or scope 403. Records of other workspaces are 404.
`;

/** The text of docs/roles.md. */
export function rolesPage(routes: readonly Route[]): string {
  const rows = routes.map((route) => [
    `\`${route.method} ${route.path}\``,
    ...ROLES.map((role) => roleCell(route, role)),
    keyCell(route),
  ]);
  return `${INTRODUCTION}\n${table(['route', ...ROLES, 'API key'], rows)}\n`;
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
