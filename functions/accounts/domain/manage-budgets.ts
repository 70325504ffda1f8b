import { type Account, accountOf } from './account.ts';
import { type AuditAction, type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import {
  type Budget,
  type BudgetLimits,
  type BudgetSubject,
  budgetName,
  budgetSubject,
  currentBudget,
  MAX_BUDGETS,
  periodsOf,
} from './budgets.ts';
import { type ChangePorts, changeAccount } from './change-account.ts';
import { spentTokens, type TokenBudgetPorts } from './token-budgets.ts';

export type BudgetsRefusal = 'budget_not_found' | 'subject_not_found' | 'too_many_budgets';

/** Why a budget was not changed. The message is for the client. */
export class BudgetsRefused extends Error {
  override name = 'BudgetsRefused';
  readonly refusal: BudgetsRefusal;

  constructor(refusal: BudgetsRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

export interface BudgetStore {
  /**
   * Stores the budgets of `changed`, and the audit entry, on the condition that the account still has the version before it.
   * @returns false when it has not.
   */
  saveBudgets(changed: Account, audit: AuditEntry): Promise<boolean>;
}

export interface ManageBudgetPorts extends ChangePorts, AuditPorts {
  readonly budgets: BudgetStore;
  readonly counters: TokenBudgetPorts['counters'];
  /** Whether the workspace has such a key or application. */
  readonly subjectExists: (workspaceId: string, subject: BudgetSubject) => Promise<boolean>;
}

type SavePorts = Omit<ManageBudgetPorts, 'counters' | 'subjectExists'>;

/** A budget with all that counts against it; tokens are null where they are not limited. */
export interface BudgetView {
  readonly subject: BudgetSubject;
  readonly budget: Budget;
  readonly tokens: { readonly day: number | null; readonly month: number | null };
}

/** Sets the limits of a key or an application. What it has spent in this period stays. @throws BudgetsRefused, AccountBusy */
export async function setBudget(
  workspaceId: string,
  subject: BudgetSubject,
  limits: BudgetLimits,
  origin: Origin,
  ports: ManageBudgetPorts,
): Promise<BudgetView> {
  if (!(await ports.subjectExists(workspaceId, subject)))
    throw new BudgetsRefused(
      'subject_not_found',
      `${subject.kind === 'key' ? 'Key' : 'Application'} ${subject.id} not found in this workspace.`,
    );
  const name = budgetName(subject);
  const changed = await changeAccount(workspaceId, ports, async (account) => {
    const { budgets = {} } = account;
    const known = Object.hasOwn(budgets, name) ? budgets[name] : undefined;
    if (!known && Object.keys(budgets).length >= MAX_BUDGETS)
      throw new BudgetsRefused(
        'too_many_budgets',
        `Your workspace has ${MAX_BUDGETS} budgets. Delete one of another key or application first.`,
      );
    const nowMs = ports.clock.now();
    const fresh = { ...periodsOf(nowMs), dayKrw: 0, monthKrw: 0, madeAt: account.version + 1 };
    const budget = { ...fresh, ...known, ...limits, setAt: new Date(nowMs).toISOString() };
    const details = { ...subject, ...limits };
    return save(account, { ...budgets, [name]: budget }, { action: 'budget.set', details }, origin, ports);
  });
  return viewOf(changed, name, ports);
}

/** @throws BudgetsRefused, AccountBusy */
export async function removeBudget(
  workspaceId: string,
  subject: BudgetSubject,
  origin: Origin,
  ports: SavePorts,
): Promise<void> {
  const name = budgetName(subject);
  await changeAccount(workspaceId, ports, (account) => {
    if (!Object.hasOwn(account.budgets ?? {}, name))
      throw new BudgetsRefused('budget_not_found', `Budget of the ${subject.kind} ${subject.id} not found.`);
    const { [name]: _, ...rest } = account.budgets!;
    return save(account, rest, { action: 'budget.removed', details: { ...subject } }, origin, ports);
  });
}

/** All budgets of a workspace, with their spending. */
export async function listBudgets(
  workspaceId: string,
  ports: Pick<ManageBudgetPorts, 'accounts' | 'counters' | 'clock'>,
): Promise<readonly BudgetView[]> {
  const account = await accountOf(workspaceId, ports.accounts);
  return Promise.all(Object.keys(account.budgets ?? {}).map((name) => viewOf(account, name, ports)));
}

async function save(
  account: Account,
  budgets: Account['budgets'] & object,
  act: { readonly action: AuditAction; readonly details: NonNullable<Parameters<typeof auditEntry>[0]['details']> },
  origin: Origin,
  ports: SavePorts,
): Promise<Account | null> {
  const { workspaceId, version } = account;
  const changed = { ...account, budgets, version: version + 1 };
  const audit = auditEntry({ workspaceId, target: String(act.details.id), ...act }, origin, ports);
  return (await ports.budgets.saveBudgets(changed, audit)) ? changed : null;
}

async function viewOf(
  { workspaceId, budgets }: Account,
  name: string,
  ports: Pick<ManageBudgetPorts, 'counters' | 'clock'>,
): Promise<BudgetView> {
  const budget = currentBudget(budgets![name]!, periodsOf(ports.clock.now()));
  return { subject: budgetSubject(name), budget, tokens: await spentTokens(workspaceId, name, budget, ports) };
}
