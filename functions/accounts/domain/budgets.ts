/** Budgets that a workspace sets itself: what a key, or an application, may spend in a day and in a month, both of UTC. */

export const BUDGET_KINDS = ['key', 'application'] as const;

/** An API key or an application. */
export interface BudgetSubject {
  readonly kind: (typeof BUDGET_KINDS)[number];
  readonly id: string;
}

/** Null: no limit. */
export interface BudgetLimits {
  readonly krwPerDay: number | null;
  readonly krwPerMonth: number | null;
  /** Of models: questions and answers together. */
  readonly tokensPerDay: number | null;
  readonly tokensPerMonth: number | null;
}

/** A budget, and the charges since it was set. Tokens are counted elsewhere: they move no money. */
export interface Budget extends BudgetLimits {
  readonly setAt: string;
  readonly day: string;
  readonly dayKrw: number;
  readonly month: string;
  readonly monthKrw: number;
  /** Held for calls under way; absent: 0. */
  readonly heldKrw?: number;
  /** Version of the account that the budget was made at: earlier holds do not count; absent: all count. */
  readonly madeAt?: number;
}

/** By the name of their subject. */
export type Budgets = Readonly<Record<string, Budget>>;

/** The key and application of a charge. */
export interface Payer {
  /** Null: no API key, or no application. */
  readonly keyId: string | null;
  readonly applicationId?: string | null;
}

/** Each is read and written with every charge of the workspace. */
export const MAX_BUDGETS = 50;
/** Share of a limit that the owners get an e-mail at. */
export const NOTICE_SHARE = 0.8;

export const budgetName = ({ kind, id }: BudgetSubject): string => `${kind} ${id}`;

export function budgetSubject(name: string): BudgetSubject {
  const space = name.indexOf(' ');
  return { kind: name.slice(0, space) as BudgetSubject['kind'], id: name.slice(space + 1) };
}

/** The periods that a moment is in. */
export interface Periods {
  readonly day: string;
  readonly month: string;
}

export function periodsOf(nowMs: number): Periods {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return { day, month: day.slice(0, 7) };
}

/** Names of the subjects that have a budget. */
export function budgetedNames(budgets: Budgets | undefined, { keyId, applicationId = null }: Payer): string[] {
  if (budgets === undefined) return [];
  const names = [
    ...(keyId === null ? [] : [budgetName({ kind: 'key', id: keyId })]),
    ...(applicationId === null ? [] : [budgetName({ kind: 'application', id: applicationId })]),
  ];
  return names.filter((name) => Object.hasOwn(budgets, name));
}

/** The budget in the current periods: spending of earlier ones is dropped. */
export function currentBudget(budget: Budget, { day, month }: Periods): Budget {
  return {
    ...budget,
    ...(budget.day !== day && { day, dayKrw: 0 }),
    ...(budget.month !== month && { month, monthKrw: 0 }),
  };
}

/** A limit of a budget, with what counts against it. */
export interface SpentLimit {
  readonly name: string;
  readonly field: 'krw_per_day' | 'krw_per_month' | 'tokens_per_day' | 'tokens_per_month';
  readonly limit: number;
  readonly spent: number;
  /** Held for calls under way; absent: 0. */
  readonly heldKrw?: number;
}

/** A limit that a call does not fit into. */
export interface ExceededLimit extends SpentLimit {
  /** True when it may fit once the calls under way have ended. */
  readonly isHeld?: boolean;
}

export function krwLimits(name: string, budget: Budget): SpentLimit[] {
  const { krwPerDay, krwPerMonth, dayKrw, monthKrw } = budget;
  return [
    ...(krwPerDay === null ? [] : [{ name, field: 'krw_per_day', limit: krwPerDay, spent: dayKrw } as const]),
    ...(krwPerMonth === null ? [] : [{ name, field: 'krw_per_month', limit: krwPerMonth, spent: monthKrw } as const]),
  ];
}

/** The first limit that a charge would exceed, together with the highest prices of the calls under way; null: none. */
export function exceededLimit(
  budgets: Budgets | undefined,
  payer: Payer,
  krw: number,
  nowMs: number,
): ExceededLimit | null {
  if (krw === 0) return null;
  const periods = periodsOf(nowMs);
  for (const name of budgetedNames(budgets, payer)) {
    const budget = currentBudget(budgets![name]!, periods);
    const { heldKrw = 0 } = budget;
    for (const limit of krwLimits(name, budget))
      if (limit.spent + heldKrw + krw > limit.limit)
        return { ...limit, ...(heldKrw > 0 && { heldKrw, isHeld: limit.spent + krw <= limit.limit }) };
  }
  return null;
}

/** Budgets after the start of a hold, or with a negative amount its end. */
export function holdBudgets(
  budgets: Budgets | undefined,
  { openedAt, ...payer }: Payer & { readonly openedAt?: number },
  krw: number,
): Budgets | undefined {
  if (budgets === undefined || openedAt === undefined) return budgets;
  const counting = budgetedNames(budgets, payer).filter((name) => openedAt > (budgets[name]!.madeAt ?? 0));
  if (counting.length === 0) return budgets;
  const held = counting.map((name): readonly [string, Budget] => {
    const budget = budgets[name]!;
    return [name, { ...budget, heldKrw: Math.max(0, (budget.heldKrw ?? 0) + krw) }];
  });
  return { ...budgets, ...Object.fromEntries(held) };
}

/** Budgets of an account without holds: an earlier version of the service ends holds without them. */
export function withoutHolds(budgets: Budgets | undefined): Budgets | undefined {
  if (budgets === undefined || Object.values(budgets).every(({ heldKrw = 0 }) => heldKrw === 0)) return budgets;
  return Object.fromEntries(Object.entries(budgets).map(([name, budget]) => [name, { ...budget, heldKrw: 0 }]));
}

/** Budgets after a charge, and the limits whose spending has reached the share that triggers a notice. */
export function spendBudgets(
  budgets: Budgets | undefined,
  payer: Payer,
  krw: number,
  nowMs: number,
): { readonly budgets: Budgets | undefined; readonly reached: readonly SpentLimit[] } {
  const names = krw === 0 ? [] : budgetedNames(budgets, payer);
  if (budgets === undefined || names.length === 0) return { budgets, reached: [] };
  const periods = periodsOf(nowMs);
  const reached: SpentLimit[] = [];
  const spent = names.map((name): readonly [string, Budget] => {
    const before = currentBudget(budgets[name]!, periods);
    const after = { ...before, dayKrw: before.dayKrw + krw, monthKrw: before.monthKrw + krw };
    reached.push(...krwLimits(name, after).filter((limit) => reachesNotice(limit, krw)));
    return [name, after];
  });
  return { budgets: { ...budgets, ...Object.fromEntries(spent) }, reached };
}

/** True if the last `amount` of the spending has reached the share that triggers a notice. */
export function reachesNotice({ limit, spent }: Pick<SpentLimit, 'limit' | 'spent'>, amount: number): boolean {
  const share = limit * NOTICE_SHARE;
  return spent >= share && spent - amount < share;
}

/** When the period of a limit ends, as epoch time. */
export function renewsAtMs(field: SpentLimit['field'], nowMs: number): number {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return field.endsWith('day') ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}

/** Why a call is refused: which limit, and until when. */
export interface BudgetRefusal {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number;
}

export function budgetRefusal(exceeded: ExceededLimit, nowMs: number): BudgetRefusal {
  const { name, field, limit, spent, heldKrw = 0, isHeld = false } = exceeded;
  const { kind, id } = budgetSubject(name);
  const renewsMs = renewsAtMs(field, nowMs);
  const renewsAt = new Date(renewsMs).toISOString();
  const whose = kind === 'key' ? `API key ${id}` : `application ${id}`;
  const unit = field.startsWith('krw') ? 'KRW' : 'tokens';
  const held = heldKrw > 0 ? ` and ${heldKrw} KRW are held for calls under way` : '';
  return {
    message:
      `${field}: the budget of the ${whose} is used up: ${spent} of ${limit} ${unit} are spent${held}, and this call does not fit. ` +
      `It renews at ${renewsAt}; an owner can raise it with PUT /api/v1/budgets/${kind}/${id}. Nothing was charged.`,
    details: { budget: { kind, id }, field, limit, spent, ...(heldKrw > 0 && { heldKrw }), renewsAt },
    retryAfterSeconds: isHeld ? HELD_SECONDS : Math.ceil((renewsMs - nowMs) / 1000),
  };
}

/** Most calls under way have ended by then. */
const HELD_SECONDS = 10;
