import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ErrorFormat, errorFormats } from '../../functions/shared/http/error-formats.ts';
import { responsesOf } from '../../functions/shared/http/implied-errors.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { ERROR_ADVICE } from './error-advice.ts';
import { table } from './table.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const INTRODUCTION = `# Errors

Every error code, what to do about it, and the codes of each route. Generated from the source by \`npm run docs\`.

Every response carries the header \`x-request-id\`; quote it when you report a problem. Programs should act on the status and
the code, never on the message. The header \`Link\` leads to the code on this page, also where the body holds no code; a deployment
without a console names the address of its guides with \`-c guidesUrl=…\`. 429 and 503 carry \`Retry-After\` in seconds. After an error
nothing was charged.

- 5xx and 429: retry with growing pauses. With an \`Idempotency-Key\` a retry never charges twice.
- Other 4xx: change the request first. The message names the fault, the field and the remedy.
`;

/** One member of a service for each form of error body. */
const FORMATS: Readonly<Record<ErrorFormat, string>> = {
  extraction: 'Extraction and balance',
  openai: 'Chat completions',
  envelope: 'Accounts, management, workflows and channels',
  detail: 'Sandbox',
};

const EXAMPLE = {
  status: 403,
  code: 'forbidden',
  message: 'The API key is not allowed to use this service.',
} as const;

/** The text of docs/errors.md. */
export function errorsPage(routes: readonly Route[]): string {
  const codes = errorCodes();
  const forms = Object.entries(FORMATS).map(([format, services]) => {
    const body = errorFormats[format as ErrorFormat].body(EXAMPLE, '4f6c2a9e-0b1d-4f7e-9a53-2f1f6f1f8a10');
    return `**${services}**\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`;
  });
  const advice = [...codes].map(([code, statuses]) => [
    `<a id="${code}"></a>\`${code}\``,
    [...statuses].sort().join(', '),
    ERROR_ADVICE[code] ?? 'See the message.',
  ]);
  const perRoute = routes.map((route) => [`\`${route.method} ${route.path}\``, codesOf(route, codes)]);
  return [
    INTRODUCTION,
    '## Bodies\n',
    ...forms,
    '## Codes\n',
    `${table(['code', 'status', 'what to do'], advice)}\n`,
    '## Routes\n',
    `${table(['route', 'errors'], perRoute)}\n`,
  ].join('\n');
}

/** Every code in the source, with its statuses. */
export function errorCodes(): ReadonlyMap<string, ReadonlySet<string>> {
  const codes = new Map<string, Set<string>>();
  const add = (code: string, status: string) => codes.set(code, (codes.get(code) ?? new Set()).add(status));
  for (const file of globSync('{functions,gateway}/**/*.ts', { cwd: ROOT })) {
    const source = readFileSync(`${ROOT}${file}`, 'utf8');
    for (const [, status, code] of source.matchAll(/new Problem\(\s{0,40}(\d{3}),\s{1,40}'(\w+)'/g))
      add(code!, status!);
    if (file.endsWith('http-errors.ts'))
      for (const [, code, status] of source.matchAll(/^ {2}(\w+): (\d{3}),$/gm)) add(code!, status!);
  }
  return new Map([...codes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The codes that a route's descriptions name, by status. */
function codesOf(route: Route, known: ReadonlyMap<string, unknown>): string {
  const errors = Object.entries(responsesOf(route)).filter(([status]) => Number(status) >= 400);
  return errors
    .map(([status, { description }]) => {
      const named = new Set((description.match(/\w+/g) ?? []).filter((word) => known.has(word)));
      return [status, ...[...named].map((code) => `[\`${code}\`](#${code})`)].join(' ');
    })
    .join(' · ');
}
