import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ErrorFormat, errorFormats } from '../../functions/shared/http/error-formats.ts';
import { responsesOf } from '../../functions/shared/http/implied-errors.ts';
import { koreanError } from '../../functions/shared/http/korean-problem.ts';
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

const KOREAN_INTRODUCTION = `# 오류

모든 오류 코드와 할 일입니다. \`npm run docs\`가 소스에서 만듭니다. 경로마다 나올 수 있는 코드는 [영어 안내서](../errors.md#routes)에 있습니다.

모든 응답에는 \`x-request-id\` 헤더가 있습니다. 문의할 때 함께 알려 주세요. 프로그램은 메시지가 아니라 상태와 코드로 판단해야 합니다. \`Link\` 헤더는
이 안내서의 해당 코드로 이어집니다. 429와 503에는 \`Retry-After\`(초)가 있습니다. 오류가 난 호출은 청구하지 않습니다. \`Accept-Language: ko\`를 보내면
메시지가 한국어로 나옵니다.

- 5xx와 429: 간격을 늘려 가며 다시 시도합니다. \`Idempotency-Key\`가 있으면 두 번 청구되지 않습니다.
- 그 밖의 4xx: 요청을 먼저 고칩니다. 메시지에 잘못된 점과 필드, 고치는 방법이 있습니다.
`;

/** One member of a service for each form of error body. */
const FORMATS: Readonly<Record<ErrorFormat, string>> = {
  extraction: 'Extraction and balance',
  openai: 'Chat completions',
  envelope: 'Accounts, management, workflows and channels',
  detail: 'Sandbox',
  'json-rpc': 'MCP',
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
    anchored(code),
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

/** The text of docs/ko/errors.md. */
export function koreanErrorsPage(): string {
  const advice = [...errorCodes()].map(([code, statuses]) => [
    anchored(code),
    [...statuses].sort().join(', '),
    (koreanError(code) ?? '').replaceAll('|', '\\|').replaceAll('<', '&lt;'),
  ]);
  return `${KOREAN_INTRODUCTION}\n## 코드\n\n${table(['코드', '상태', '설명과 할 일'], advice)}\n`;
}

function anchored(code: string): string {
  return `<a id="${code}"></a>\`${code}\``;
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
