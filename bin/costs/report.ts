import { deliverNoticesWorker } from '../../functions/accounts/workers.ts';
import { routes } from '../../functions/routes.ts';
import { queues } from '../../functions/shared/resources.ts';
import { workers } from '../../functions/workers.ts';
import { assumptions, type Cost, costOf, idleUsd, LEGS } from './legs.ts';
import { PRICES_AS_OF, PRICES_REGION, prices } from './prices.ts';

const MONTH_SECONDS = 30 * 24 * 60 * 60;
/** Long polls of 20 seconds that Lambda keeps open at an empty queue: five where its concurrency has a limit, else two. */
const POLLS = { limited: 5, unlimited: 2, seconds: 20 } as const;
const RECONCILE_SECONDS = 5 * 60;
const ALARMS = 7;
const SECRETS = 2;

/** The page docs/costs.md. @param calls of each endpoint */
export function costReport(calls: number): string {
  const { ROUND_TRIP_MS, MB_A_PROCESSOR, LOG_BYTES, HEADER_BYTES } = assumptions;
  return `# What it costs

Printed by \`npm run costs -- --calls ${calls}\`; \`--write\` writes this page. List prices of AWS in ${PRICES_REGION}, as of ${PRICES_AS_OF}, without
free tiers and discounts; look them up again before you rely on them. The default deployment: \`-c reader=textract\`, no pool of runners, no
firewall.

How the figures are made: the HTTP tests were run once, each function's calls of AWS counted, with their units of DynamoDB by the size of the
items, and the processor time of its thread taken (\`npm run costs:measure\`; [measured.json](../bin/costs/measured.json)). A function then takes
its processor time (as long again as its share of a processor is small: one processor is ${MB_A_PROCESSOR} MB), ${ROUND_TRIP_MS} ms for each call that waits for the one
before, and what it waits for beside (in the last column, assumed). Added are ${LOG_BYTES} bytes of logs a call and ${HEADER_BYTES} bytes of headers. Nothing of this was
measured on AWS: an invoice may differ by half as much again, above all in Lambda. Cold starts, storage, and what models and runners cost are
not in it.

## ${thousands(calls)} calls of each endpoint, USD

${table([
  ['endpoint', 'ms', ...LEGS, 'sum', 'waits for'],
  ...routes.map((route) => [`\`${route.method} ${route.path}\``, ...row(costOf(route), calls)]),
])}

An extraction by the own recogniser (\`-c reader=embedded\`) costs no Textract; Lambda is billed for about as long, since a page takes 1.4 s on
two processors. Of a page in a batch, the endpoint above takes the order, and the functions below do the work.

## ${thousands(calls)} invocations of each function behind them, USD

${table([
  ['function', 'ms', ...LEGS, 'sum', 'waits for'],
  ...workers.map((worker) => [`\`${worker.id}\``, ...row(costOf(worker), calls)]),
])}

Functions of a hosted pool, and those that end what failed for good, are not called in the tests (–).

## A month without calls, USD

${table([['', 'USD'], ...idle().map(([what, usd]) => [what, usd.toFixed(2)])])}

With the free tiers of an account the first ten alarms, three dashboards and a million requests of queues cost nothing.
\`-c sandbox=fargate\`, \`-c inlineImages=container\` and \`-c waf=true\` add what [deploy.md](deploy.md) says.

## Prices

${table([
  ['USD', 'for', 'source'],
  ...Object.values(prices).map(({ usd, unit, source }) => [perMillion(usd), unit, source]),
])}
`;
}

function row(cost: Cost | null, calls: number): string[] {
  if (cost === null) return ['–', ...LEGS.map(() => ''), '–', ''];
  const { ms, legs, usd, waitsFor } = cost;
  return [String(ms), ...LEGS.map((leg) => amount(legs[leg] * calls)), amount(usd * calls), waitsFor ?? ''];
}

function idle(): (readonly [string, number])[] {
  const perMonth = MONTH_SECONDS / POLLS.seconds;
  const count = Object.keys(queues).length;
  const reconcilers = workers.filter(({ id }) => /\.reconcile-/.test(id) && id !== 'sandbox.reconcile-pool');
  const scheduled = [...reconcilers, deliverNoticesWorker];
  const runs = scheduled.reduce((sum, worker) => sum + idleUsd(worker), 0) * (MONTH_SECONDS / RECONCILE_SECONDS);
  const items: (readonly [string, number])[] = [
    [`${count} queues, polled by ${POLLS.limited} each`, count * POLLS.limited * perMonth * prices.sqs.usd],
    [
      `their dead-letter queues, polled by ${POLLS.unlimited} each`,
      count * POLLS.unlimited * perMonth * prices.sqs.usd,
    ],
    [`${scheduled.length} functions that run every ${RECONCILE_SECONDS / 60} minutes`, runs],
    [`${ALARMS} alarms`, ALARMS * prices.alarmMonth.usd],
    ['the dashboard', prices.dashboardMonth.usd],
    ['the key of applications’ secrets', prices.kmsKeyMonth.usd],
    [`${SECRETS} secrets`, SECRETS * prices.secretMonth.usd],
  ];
  return [...items, ['sum', items.reduce((sum, [, usd]) => sum + usd, 0)]];
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Cents where there are few dollars. */
function amount(usd: number): string {
  if (usd === 0) return '';
  return usd < 0.005 ? '0.00' : usd < 100 ? usd.toFixed(2) : thousands(Math.round(usd));
}

function perMillion(usd: number): string {
  return usd >= 0.01 ? String(usd) : `${Number((usd * 1e6).toPrecision(6))} a million`;
}

function thousands(n: number): string {
  return n.toLocaleString('en-US');
}
