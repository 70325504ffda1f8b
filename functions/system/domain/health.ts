export type Outcome = 'ok' | 'failing' | 'off';

/** The value of a check whose dependency this deployment does not have. */
export const SWITCHED_OFF = Symbol('off');

/** Checks one dependency. Anything that it throws is reported as the reason. */
export type HealthCheck = () => Promise<unknown>;

/** A reason for callers, in words that name no host and no file. */
export class PublicReason extends Error {
  override name = 'PublicReason';
}

export interface HealthOptions<Name extends string> {
  /** Time in which each check must answer. */
  readonly timeoutMs: number;
  /** Checks that are reported and leave the status as it is: the rest of the service works without them. */
  readonly optional?: readonly NoInfer<Name>[];
}

export interface Health<Name extends string> {
  readonly status: Exclude<Outcome, 'off'>;
  readonly checks: Readonly<Record<Name, Outcome>>;
  /** For the log: they can name hosts and files, which no stranger should read. */
  readonly reasons: Readonly<Partial<Record<Name, unknown>>>;
  /** Those of them that callers may read. */
  readonly publicReasons: Readonly<Partial<Record<Name, string>>>;
}

/** Runs all checks at once; one that has not answered within `timeoutMs` fails. */
export async function checkHealth<Name extends string>(
  checks: Readonly<Record<Name, HealthCheck>>,
  { timeoutMs, optional = [] }: HealthOptions<Name>,
): Promise<Health<Name>> {
  const outcomes = await Promise.all(
    (Object.entries(checks) as [Name, HealthCheck][]).map(async ([name, check]) => {
      try {
        const answer = await within(timeoutMs, check());
        return { name, outcome: answer === SWITCHED_OFF ? ('off' as const) : ('ok' as const) };
      } catch (reason) {
        return { name, outcome: 'failing' as const, reason };
      }
    }),
  );
  return {
    status: outcomes.every(({ name, outcome }) => outcome !== 'failing' || optional.includes(name)) ? 'ok' : 'failing',
    checks: Object.fromEntries(outcomes.map(({ name, outcome }) => [name, outcome])) as Record<Name, Outcome>,
    reasons: Object.fromEntries(
      outcomes.flatMap(({ name, outcome, reason }) => (outcome === 'failing' ? [[name, reason]] : [])),
    ) as Partial<Record<Name, unknown>>,
    publicReasons: Object.fromEntries(
      outcomes.flatMap(({ name, reason }) => (reason instanceof PublicReason ? [[name, reason.message]] : [])),
    ) as Partial<Record<Name, string>>,
  };
}

async function within(timeoutMs: number, answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
