export type Outcome = 'ok' | 'failing';

/** Checks one dependency. Anything that it throws is reported as the reason. */
export type HealthCheck = () => Promise<unknown>;

export interface Health<Name extends string> {
  readonly status: Outcome;
  readonly checks: Readonly<Record<Name, Outcome>>;
  /** For the log: they can name hosts and files, which no stranger should read. */
  readonly reasons: Readonly<Partial<Record<Name, unknown>>>;
}

/** Runs all checks at once; one that has not answered within `timeoutMs` fails. */
export async function checkHealth<Name extends string>(
  checks: Readonly<Record<Name, HealthCheck>>,
  timeoutMs: number,
): Promise<Health<Name>> {
  const outcomes = await Promise.all(
    (Object.entries(checks) as [Name, HealthCheck][]).map(async ([name, check]) => {
      try {
        await within(timeoutMs, check());
        return { name, outcome: 'ok' as const };
      } catch (reason) {
        return { name, outcome: 'failing' as const, reason };
      }
    }),
  );
  return {
    status: outcomes.every(({ outcome }) => outcome === 'ok') ? 'ok' : 'failing',
    checks: Object.fromEntries(outcomes.map(({ name, outcome }) => [name, outcome])) as Record<Name, Outcome>,
    reasons: Object.fromEntries(
      outcomes.flatMap(({ name, outcome, reason }) => (outcome === 'failing' ? [[name, reason]] : [])),
    ) as Partial<Record<Name, unknown>>,
  };
}

async function within(timeoutMs: number, answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
