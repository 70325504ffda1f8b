import { FREE_CALLS } from '../../functions/accounts/domain/account.ts';
import { AUDIT_KEPT_SECONDS } from '../../functions/accounts/domain/audit.ts';
import { MAX_RETENTION_DAYS } from '../../functions/accounts/domain/data-settings.ts';
import { MAX_KEYS } from '../../functions/accounts/domain/manage-keys.ts';
import { MAX_TOP_UP_KRW } from '../../functions/accounts/domain/top-up.ts';
import { USAGE_KEPT_SECONDS } from '../../functions/accounts/domain/usage.ts';
import { DEAD_LETTER_KEPT_SECONDS } from '../../functions/channels/domain/delivery/messages.ts';
import { MAX_RETRIES } from '../../functions/channels/domain/delivery/retries.ts';
import { MAX_ATTACHMENTS } from '../../functions/channels/domain/inbound-message.ts';
import { MAX_ACCESS_TOKENS } from '../../functions/chat/domain/access-tokens.ts';
import { CONVERSATION_KEPT_SECONDS } from '../../functions/chat/domain/conversations.ts';
import { MAX_STEPS as MAX_TOOL_STEPS } from '../../functions/chat/domain/tools/agent.ts';
import { DEFAULT_BUDGETS } from '../../functions/chat/domain/visitor-budgets.ts';
import { MAX_IMAGES } from '../../functions/extraction/domain/batch/job.ts';
import { MAX_IMAGE_BYTES } from '../../functions/extraction/domain/inline-image.ts';
import { CALL_PRICE_KRW } from '../../functions/extraction/domain/pricing/price-call.ts';
import { MAX_BASES, MAX_DOCUMENTS, MAX_PASSAGES } from '../../functions/knowledge/domain/knowledge-base.ts';
import { MAX_HITS, MAX_QUERY_LENGTH } from '../../functions/knowledge/domain/knowledge-search.ts';
import { MAX_BATCH_SIZE } from '../../functions/sandbox/domain/execute.ts';
import { EXECUTION_KEPT_SECONDS } from '../../functions/sandbox/domain/execution.ts';
import { DEFAULT_RESOURCES } from '../../functions/sandbox/domain/run.ts';
import { bodyLimitOf, type Route } from '../../functions/shared/http/route.ts';
import { IDEMPOTENCY_KEPT_SECONDS } from '../../functions/shared/idempotency/idempotency-store.ts';
import {
  ADDRESS_LIMIT_PER_MINUTE,
  FREE_PAGES_PER_DAY,
  USER_LIMIT_PER_MINUTE,
} from '../../functions/shared/limits/base-limits.ts';
import type { RateLimit } from '../../functions/shared/limits/rate-limit.ts';
import { MAX_RUNS_WITHIN } from '../../functions/workflows/domain/effects/run-sub-workflow.ts';
import { MAX_NODES, MAX_TIMEOUT_SECONDS } from '../../functions/workflows/domain/graph/graph.ts';
import { MAX_PARALLEL_PASSES } from '../../functions/workflows/domain/graph/node-fields.ts';
import { MAX_TIMEOUT_MS } from '../../functions/workflows/domain/graph/people.ts';
import { RUN_KEPT_SECONDS } from '../../functions/workflows/domain/run/run.ts';
import { table } from './table.ts';

const count = (value: number) => value.toLocaleString('en-US');
const days = (seconds: number) => `${count(seconds / 86_400)} days`;
const hours = (seconds: number) => `${count(seconds / 3_600)} hours`;

const INTRODUCTION = `# Limits

How often, how large, how long. Generated from the source by \`npm run docs\`.

## Rates

Each key or person has ${count(USER_LIMIT_PER_MINUTE)} requests per minute; requests without a valid credential share
${count(ADDRESS_LIMIT_PER_MINUTE)} per minute and address. The routes below have additional limits. The tightest
limit answers with 429 and \`Retry-After\`; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report it on
every response. A full allowance holds *at once* requests and refills evenly. The operator can change the
general rates and those of chat: see [configuration](configuration.md).
`;

const SIZES: readonly (readonly [string, string])[] = [
  [
    'Extraction: size of an image',
    `${count(MAX_IMAGE_BYTES / 2 ** 20)} MB; hosted about 4.4 MB inline, larger ones through \`POST /api/v1/uploads\``,
  ],
  ['Extraction: images of a batch', count(MAX_IMAGES)],
  [
    'Extraction: price of a page with a drug table',
    `${count(CALL_PRICE_KRW)} KRW; the first ${count(FREE_CALLS)} are free`,
  ],
  ['Extraction: free pages without a drug table', `${count(FREE_PAGES_PER_DAY)} per workspace and day`],
  ['Accounts: API keys of a workspace', count(MAX_KEYS)],
  ['Accounts: amount of a top-up', `${count(MAX_TOP_UP_KRW)} KRW`],
  ['Chat: access tokens of an application', count(MAX_ACCESS_TOKENS)],
  [
    'Chat: daily budget of an access token by default',
    `${count(DEFAULT_BUDGETS.requestsPerDay ?? 0)} requests and ${count(DEFAULT_BUDGETS.tokensPerDay ?? 0)} tokens; ` +
      `of one visitor ${count(DEFAULT_BUDGETS.visitorRequestsPerDay ?? 0)} and ${count(DEFAULT_BUDGETS.visitorTokensPerDay ?? 0)}`,
  ],
  ['Chat: tool steps of an answer', count(MAX_TOOL_STEPS)],
  ['Knowledge: bases of a workspace', count(MAX_BASES)],
  ['Knowledge: documents of a base', count(MAX_DOCUMENTS)],
  ['Knowledge: passages of a base', count(MAX_PASSAGES)],
  ['Knowledge: characters of a query', count(MAX_QUERY_LENGTH)],
  ['Knowledge: results of a search', count(MAX_HITS)],
  ['Workflows: nodes of a graph', count(MAX_NODES)],
  ['Workflows: runs within one run, at any depth', count(MAX_RUNS_WITHIN)],
  ['Workflows: timeout of a run', `${count(MAX_TIMEOUT_SECONDS)} seconds`],
  ['Workflows: items that an iteration handles at once', count(MAX_PARALLEL_PASSES)],
  ['Workflows: wait for an approval or a form', `${count(MAX_TIMEOUT_MS / 86_400_000)} days`],
  ['Channels: attachments of a message', count(MAX_ATTACHMENTS)],
  ['Channels: retries of a delivery', count(MAX_RETRIES)],
  ['Sandbox: programs of a batch', count(MAX_BATCH_SIZE)],
  [
    'Sandbox: resources of a program by default',
    `${DEFAULT_RESOURCES.cpu} cores, ${count(DEFAULT_RESOURCES.memoryMb)} MB of memory, ${count(DEFAULT_RESOURCES.diskMb)} MB of disk`,
  ],
];

const KEPT: readonly (readonly [string, string])[] = [
  ['Extractions and jobs', `${MAX_RETENTION_DAYS} days`],
  ['Results of an Idempotency-Key', hours(IDEMPOTENCY_KEPT_SECONDS)],
  ['Conversations, after their last turn', days(CONVERSATION_KEPT_SECONDS)],
  ['Runs of workflows', days(RUN_KEPT_SECONDS)],
  ['Dead letters of channels', days(DEAD_LETTER_KEPT_SECONDS)],
  ['Executions of the sandbox', hours(EXECUTION_KEPT_SECONDS)],
  ['Usage figures', days(USAGE_KEPT_SECONDS)],
  ['Audit trail', days(AUDIT_KEPT_SECONDS)],
];

/** The text of docs/limits.md. */
export function limitsPage(routes: readonly Route[]): string {
  const rates = routes.flatMap((route) =>
    (route.rateLimits ?? []).map(({ limit, per, cost }) => [
      name(route),
      perTime(limit),
      count(limit.burst),
      per === 'body' ? 'what the body names' : per,
      cost === undefined ? '1' : 'by the body',
    ]),
  );
  const sizes = routes.map((route) => [
    name(route),
    route.body || route.bodyLimit ? `${count(Math.round(bodyLimitOf(route).maxBytes / 1024))} KB` : '',
    `${route.limits.timeoutSeconds} s`,
  ]);
  return [
    INTRODUCTION,
    `${table(['route', 'rate', 'at once', 'per', 'a request counts'], rates)}\n`,
    '## Sizes and counts\n',
    `${table(['', 'limit'], SIZES)}\n`,
    '## Retention\n',
    `${table(['', 'kept for'], KEPT)}\n`,
    '## Bodies and time, by route\n',
    'Hosted, API Gateway takes bodies of up to 10 MB and Lambda of 6 MB, even if the route allows more.\n',
    `${table(['route', 'body', 'timeout'], sizes)}\n`,
  ].join('\n');
}

const name = ({ method, path }: Route) => `\`${method} ${path}\``;

/** The rate at which a bucket refills, in the unit that gives a whole number. */
function perTime({ refillMs }: RateLimit): string {
  for (const [unit, ms] of [
    ['minute', 60_000],
    ['hour', 3_600_000],
    ['day', 86_400_000],
  ] as const)
    if (ms / refillMs >= 1) return `${count(Math.round(ms / refillMs))} per ${unit}`;
  return `1 in ${count(Math.round(refillMs / 86_400_000))} days`;
}
