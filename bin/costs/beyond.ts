import { workers } from '../../functions/workers.ts';
import { RUNNER_TASK } from '../../lib/runner-task.ts';
import { costOf } from './legs.ts';
import { measuredFunctions } from './measured.ts';
import { type PriceName, priceIn, prices, type Region } from './prices.ts';

/** A month as AWS counts hours. */
const MONTH_HOURS = 730;
const HOUR_MINUTES = 60;
/** A task starts, and is billed, about this long before it runs its first program; a minute is billed at least. */
const TASK_START_SECONDS = 35;
const MIN_BILLED_SECONDS = 60;
const PROGRAM_SECONDS = 1;
/** Programs of one workspace before a runner is replaced: RUNNER_MAX_USES of sandbox/main.ts. */
const RUNNER_USES = 20;
/** A socket with a question every minute. */
const QUESTIONS_AN_HOUR = 60;

export type Line = readonly [what: string, usd: (region: Region) => number];

/** A runner of Fargate for an hour: the one place for this figure. */
export function runnerHourUsd(region: Region): number {
  const { cpuUnits, memoryMib } = RUNNER_TASK;
  return (cpuUnits / 1024) * priceIn(region, 'fargateVcpuHour') + (memoryMib / 1024) * priceIn(region, 'fargateGbHour');
}

export const runnerLines: readonly Line[] = [
  ['a runner for an hour', runnerHourUsd],
  ['a waiting runner for a month (`-c sandboxMinIdle`)', (region) => MONTH_HOURS * runnerHourUsd(region)],
  ['8 runners for an hour', (region) => 8 * runnerHourUsd(region)],
  [
    `1,000 programs of ${PROGRAM_SECONDS} s on runners that serve ${RUNNER_USES} each, their starts included`,
    (region) => 1000 * (TASK_START_SECONDS / RUNNER_USES + PROGRAM_SECONDS) * (runnerHourUsd(region) / 3600),
  ],
  [
    `1,000 programs of ${PROGRAM_SECONDS} s, each on its own runner`,
    (region) =>
      1000 * Math.max(MIN_BILLED_SECONDS, TASK_START_SECONDS + PROGRAM_SECONDS) * (runnerHourUsd(region) / 3600),
  ],
];

export const socketLines: readonly Line[] = [
  ['1,000 open sockets for an hour', (region) => 1000 * HOUR_MINUTES * priceIn(region, 'socketMinute')],
  ['1,000,000 messages of up to 32 KB, in either direction', (region) => 1e6 * priceIn(region, 'socketMessage')],
  ['1,000 connections, opened and closed', (region) => 1000 * functionsUsd(region, ['connect', 'disconnect'])],
  ['1,000 questions with their answers, the model not included', (region) => 1000 * questionUsd(region)],
  [
    `1,000 sockets for an hour with ${QUESTIONS_AN_HOUR} questions each`,
    (region) =>
      1000 *
      (HOUR_MINUTES * priceIn(region, 'socketMinute') +
        functionsUsd(region, ['connect', 'disconnect']) +
        QUESTIONS_AN_HOUR * questionUsd(region)),
  ],
];

/** NaN where the region's price is not known: nothing else is in the sum. */
const perGb = (name: PriceName) => (region: Region) =>
  region === 'us-east-1' ? prices[name].usd : (prices[name].seoul ?? Number.NaN);

export const storageLines: readonly Line[] = [
  ['1 GB of tables for a month', perGb('dynamoGbMonth')],
  ['point-in-time recovery of it, 35 days (`keepData`)', perGb('recoveryGbMonth')],
  ['an on-demand backup of it, kept for a month', perGb('backupGbMonth')],
  ['a restore of it, from either', perGb('restoreGb')],
];

/** The question is one message; the messages of its answer are among the measured calls. */
function questionUsd(region: Region): number {
  return priceIn(region, 'socketMessage') + functionsUsd(region, ['receive-message', 'answer-message']);
}

function functionsUsd(region: Region, names: readonly string[]): number {
  return names.reduce((sum, name) => {
    const worker = workers.find(({ id }) => id === `chat.${name}` || id === `chat.${name}-socket`);
    if (worker === undefined || measuredFunctions[worker.id] === undefined)
      throw new Error(`chat.${name} was not measured`);
    return sum + costOf(worker, region)!.usd;
  }, 0);
}
