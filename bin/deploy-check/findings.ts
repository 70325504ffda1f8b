import { type Config, readersOf } from '../../lib/config.ts';
import { queueConcurrency, totalQueueConcurrency } from '../../lib/queue-concurrency.ts';
import { textractIsKnownIn } from '../../lib/textract-regions.ts';

/** State of the account and of the stage's deployment. */
export interface Facts {
  readonly region: string;
  /** Stack of the CDK's bootstrap. */
  readonly isBootstrapped: boolean;
  /** Lambda's quota of the account. */
  readonly concurrency: number;
  /** Null: SES knows no such identity, or none is named. */
  readonly mail: { readonly isVerified: boolean; readonly reachesEverybody: boolean } | null;
  /** Models on Bedrock that did not answer, with the reason. */
  readonly refusedModels: Readonly<Record<string, string>>;
  /** Options of the deployment as they are now; 'unknown' of one of an earlier release. */
  readonly deployed: Readonly<Record<string, unknown>> | 'none' | 'unknown';
}

export interface Finding {
  readonly kind: 'ok' | 'warning' | 'problem';
  readonly text: string;
}

/** Left for calls that wait for an answer, when all queues are full. */
const MIN_FREE = 20;

/** Obstacles to a deployment, and limits that would throttle it. */
export function findingsOf(config: Config, facts: Facts): Finding[] {
  return [
    bootstrap(facts),
    concurrency(config, facts),
    ...certificates(config, facts),
    ...mail(config, facts),
    ...readers(config, facts),
    ...Object.entries(facts.refusedModels).map(([model, reason]) => problem(`Bedrock refuses ${model}: ${reason}`)),
  ];
}

function bootstrap({ isBootstrapped, region }: Facts): Finding {
  return isBootstrapped
    ? ok(`The account is bootstrapped in ${region}.`)
    : problem(`The account is not bootstrapped in ${region}: run npx cdk bootstrap.`);
}

function concurrency(config: Config, { concurrency: quota }: Facts): Finding {
  const needed = totalQueueConcurrency(config);
  const each = Object.entries(queueConcurrency(config))
    .map(([queue, maximum]) => `${queue} ${maximum}`)
    .join(', ');
  const text = `All queues together run ${needed} functions at once (${each}); Lambda's quota is ${quota}.`;
  if (quota - needed >= MIN_FREE) return ok(text);
  return problem(
    `${text} Fewer than ${MIN_FREE} would be left for calls, /extract and /health among them: ask for at least ` +
      `${needed + MIN_FREE} in Service Quotas, or lower batchConcurrency, documentConcurrency, crawlConcurrency, executionConcurrency, ` +
      'runConcurrency, answerConcurrency and deliveryConcurrency.',
  );
}

function certificates({ certificateArn, intakeCertificateArn }: Config, { region }: Facts): Finding[] {
  return Object.entries({ certificateArn, intakeCertificateArn }).flatMap(([name, arn]) => {
    if (arn === undefined) return [];
    const [, , service, its] = arn.split(':');
    return service === 'acm' && its === region
      ? [ok(`${name} is a certificate in ${region}.`)]
      : [problem(`${name} must be a certificate of ACM in ${region}; this is one of ${service} in ${its}.`)];
  });
}

function mail({ mailFrom }: Config, { mail: found }: Facts): Finding[] {
  if (mailFrom === undefined) return [warning('No mailFrom: no e-mails are sent, and registration is off.')];
  if (found === null || !found.isVerified)
    return [problem(`SES has not verified the identity of ${mailFrom}: create it, and confirm it by DNS or mail.`)];
  if (found.reachesEverybody) return [ok(`SES sends from ${mailFrom} to any address.`)];
  return [warning('SES is in its sandbox: mails reach verified recipients only. Ask for production access.')];
}

function readers(config: Config, { region }: Facts): Finding[] {
  if (!readersOf(config).has('textract') || textractIsKnownIn(region)) return [];
  return [problem(`Amazon Textract is not known to be in ${region}: choose another reader or region.`)];
}

/**
 * The changes of the next deployment, in lines.
 * @param next given options, without defaults
 */
export function optionDifferences(deployed: Facts['deployed'], next: Readonly<Record<string, unknown>>): string[] {
  if (deployed === 'none') return ['This stage is not deployed yet.'];
  if (deployed === 'unknown')
    return ['This stage was deployed by an earlier release, which does not record its options.'];
  const names = [...new Set([...Object.keys(deployed), ...Object.keys(next)])].sort();
  const changes = names.flatMap((name) => {
    const [before, after] = [shown(deployed[name]), shown(next[name])];
    return before === after ? [] : [`  ${name}: ${before} → ${after}`];
  });
  return changes.length === 0 ? ['No option changes.'] : ['The deployment changes these options:', ...changes];
}

/** Options of the command line are texts, those of a file may not be. */
function shown(value: unknown): string {
  if (value === undefined) return '(default)';
  return Array.isArray(value) ? value.join(',') : String(value);
}

const ok = (text: string): Finding => ({ kind: 'ok', text });
const warning = (text: string): Finding => ({ kind: 'warning', text });
const problem = (text: string): Finding => ({ kind: 'problem', text });
