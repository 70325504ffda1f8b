import type { Clock } from '../../../shared/ports/clock.ts';
import type { DecisionKind, PendingDecision } from '../engine/engine-events.ts';
import { FORM, type InputIssue, inputFault } from '../engine/input-issues.ts';
import { withoutMarks } from '../engine/secret-marks.ts';
import { startInputs } from '../engine/start-inputs.ts';
import type { GraphNode, JsonObject } from '../graph/graph.ts';
import { formActions, isForm } from '../graph/people.ts';
import { restoredMachine } from './process-run.ts';
import { type Decision, hasEnded, QUEUED_GRACE_MS, type RecordedRun, type RunHead, type RunId } from './run.ts';
import type { RunLeases, RunQueue, Runs } from './run-ports.ts';
import { invalidInputs, RunRefused } from './run-refused.ts';

export interface DecidePorts {
  readonly runs: Pick<Runs, 'find' | 'read'>;
  readonly leases: Pick<RunLeases, 'decide' | 'cancel'>;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly onFault: (runId: string, error: unknown) => void;
}

export interface DecisionRequest {
  readonly decision: DecisionKind;
  /** Of a form. */
  readonly values?: JsonObject;
  /** Of a form with actions: the chosen one. */
  readonly action?: string | undefined;
  /** The key of the node that waits; null where only one does. */
  readonly key: string | null;
  readonly comment: string;
  readonly by: string;
}

/**
 * Records a decision on a run that waits for one, and resumes the run.
 * @throws RunRefused
 */
export async function decideRun(id: RunId, request: DecisionRequest, ports: DecidePorts): Promise<string> {
  const found = await ports.runs.read(id);
  if (found === null) throw noSuchRun();
  const nowMs = ports.clock.now();
  const waiting = waitingAt(request, found, nowMs);
  const { decision, by, comment } = request;
  const taken = { decision, by, comment, atMs: nowMs, ...(isForm(waiting.node) && submission(waiting, request)) };
  if (!(await ports.leases.decide(id, waiting.key, taken, nowMs + QUEUED_GRACE_MS)))
    throw alreadyDecided(waiting.key, decision);
  await ports.queue.send([{ workspaceId: id.workspaceId, runId: id.runId }]).catch((error: unknown) => {
    // The reconciler sends unsent messages.
    ports.onFault(id.runId, error);
  });
  return waiting.key;
}

/**
 * The pending decision of a run, while it can be decided.
 * @throws RunRefused
 */
export function waitingAt(
  request: Pick<DecisionRequest, 'key' | 'decision'>,
  found: RecordedRun,
  nowMs: number,
): PendingDecision {
  const wantsForm = request.decision === 'submitted';
  const pending = restoredMachine(found).pendingDecisions.filter(({ node }) => isForm(node) === wantsForm);
  const waiting = waitingNode(request, found.head, pending);
  if (waiting.untilMs > nowMs) return waiting;
  throw expired(waiting.key, wantsForm, waiting.untilMs);
}

/** The values and the action of a form. @throws RunRefused 'invalid_inputs', which names the fields */
function submission(
  { node }: PendingDecision,
  { values = {}, action }: DecisionRequest,
): Pick<Decision, 'values' | 'action'> {
  const checked = startInputs(node, values, FORM);
  const issues = [...('issues' in checked ? checked.issues : []), ...actionIssues(node, action)];
  if (!('issues' in checked) && issues.length === 0)
    return { values: withoutMarks(checked.values), ...(action !== undefined && { action }) };
  throw invalidInputs('Fields of the form', issues);
}

function actionIssues(node: GraphNode, action: string | undefined): readonly InputIssue[] {
  const ids = formActions(node).map(({ id }) => id);
  if (ids.length === 0) return action === undefined ? [] : [{ field: 'action', fault: inputFault('no_actions') }];
  return action !== undefined && ids.includes(action)
    ? []
    : [{ field: 'action', fault: inputFault('not_an_option', { options: ids.join(', ') }) }];
}

function waitingNode(
  { key, decision }: Pick<DecisionRequest, 'key' | 'decision'>,
  head: RunHead,
  pending: readonly PendingDecision[],
): PendingDecision {
  const known = key === null ? undefined : head.decisions[key];
  if (known?.decision === 'expired') throw expired(key!, decision === 'submitted', known.atMs);
  if (known) throw alreadyDecided(key!, decision);
  if (hasEnded(head)) throw new RunRefused('already_ended', `The run has ended as ${head.status}.`);
  const what = decision === 'submitted' ? 'a form' : 'an approval';
  const open = pending.filter((each) => !head.decisions[each.key]);
  const [first, ...others] = key === null ? open : open.filter((each) => each.key === key);
  if (first === undefined && key === null && pending[0]) throw alreadyDecided(pending[0].key, decision);
  if (first === undefined)
    throw new RunRefused(
      'not_waiting',
      key === null
        ? `The run does not wait for ${what}.`
        : `The run does not wait for ${what} at ${JSON.stringify(key)}.`,
    );
  if (others.length > 0)
    throw new RunRefused(
      'ambiguous_approval',
      `The run waits for ${what} at several nodes. Name one as execution_key: ${open.map((each) => each.key).join(', ')}.`,
    );
  return first;
}

/** Ends a run: at once where nothing works on it, within about a second elsewhere. @throws RunRefused */
export async function cancelRun(id: RunId, by: string, ports: DecidePorts): Promise<void> {
  const head = await ports.runs.find(id);
  if (head === null) throw noSuchRun();
  if (hasEnded(head) || !(await ports.leases.cancel(id, by, ports.clock.now() + QUEUED_GRACE_MS)))
    throw new RunRefused('already_ended', 'The run has ended before. There is nothing to cancel.');
  await ports.queue.send([{ workspaceId: id.workspaceId, runId: id.runId }]).catch((error: unknown) => {
    ports.onFault(id.runId, error);
  });
}

/** @param field that named the run; absent: the path did. */
export function noSuchRun(field?: string): RunRefused {
  const where = field === undefined ? '' : `${field}: `;
  return new RunRefused('not_found', `${where}Run not found in this workspace. Check the id.`);
}

function alreadyDecided(key: string, decision: DecisionKind): RunRefused {
  const what = decision === 'submitted' ? 'form' : 'approval';
  const done = decision === 'submitted' ? 'answered' : 'decided';
  return new RunRefused('already_decided', `The ${what} at ${JSON.stringify(key)} has been ${done} before.`);
}

function expired(key: string, isOfForm: boolean, atMs: number): RunRefused {
  const act = isOfForm ? 'answer' : 'decide on';
  return new RunRefused(
    isOfForm ? 'form_expired' : 'approval_expired',
    `The time to ${act} ${JSON.stringify(key)} was over on ${new Date(atMs).toISOString()}.`,
  );
}
