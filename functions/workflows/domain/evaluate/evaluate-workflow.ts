import { added, type Cost, NO_COST } from '../engine/engine-events.ts';
import type { RunMachine } from '../engine/run-machine.ts';
import type { Graph, Json } from '../graph/graph.ts';
import { type BeginPorts, beginRun, checkedRun, type RunRequest } from '../run/begin-run.ts';
import type { DriveOptions } from '../run/drive-ports.ts';
import { pinnedGraph } from '../run/pinned-graph.ts';
import type { RunTrigger } from '../run/run.ts';
import { RunRefused } from '../run/run-refused.ts';
import type { RunShares } from '../run/run-shares.ts';
import type { WorkflowId } from '../workflow.ts';
import { faultOf, type SchemaChecks, subjectOf } from './check-value.ts';
import { judgeGraph } from './judge-graph.ts';
import type { CaseReport, Check, TestCase } from './test-case.ts';

export interface EvaluatePorts extends BeginPorts {
  readonly schemas: SchemaChecks;
  readonly shares: Pick<RunShares, 'within'>;
}

export interface Evaluation extends WorkflowId {
  readonly workflowVersion: number | null;
  readonly graph: Graph;
  readonly cases: readonly TestCase[];
  /** Whose model judges; null: the default one. */
  readonly applicationId: string | null;
  readonly caller: RunTrigger['caller'];
}

export interface EvaluationReport {
  readonly cases: readonly CaseReport[];
  readonly cost: Cost;
}

const AT_ONCE = 5;
/** A case whose run may not end in time is not started. */
const CASE_RESERVE_MS = 15_000;

/** Runs every case, a few at once, and compares each with its expectations. */
export async function evaluateWorkflow(
  evaluation: Evaluation,
  options: DriveOptions,
  ports: EvaluatePorts,
): Promise<EvaluationReport> {
  const reports: CaseReport[] = [];
  const total = { cost: NO_COST };
  const waiting = [...evaluation.cases.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      reports[next[0]] = await evaluated(next[1], total, evaluation, options, ports);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { cases: reports, cost: total.cost };
}

async function evaluated(
  test: TestCase,
  total: { cost: Cost },
  evaluation: Evaluation,
  options: DriveOptions,
  ports: EvaluatePorts,
): Promise<CaseReport> {
  const beganMs = ports.clock.now();
  const report = (more: Omit<CaseReport, 'name' | 'hasPassed' | 'elapsedMs'>): CaseReport => ({
    ...{ name: test.name, hasPassed: more.reasons.length === 0, ...more, elapsedMs: ports.clock.now() - beganMs },
  });
  const unbegun = (reason: string) => report({ runId: null, status: 'not_run', answer: '', reasons: [reason] });
  if (beganMs + CASE_RESERVE_MS > options.deadlineMs)
    return unbegun('There was no time left for it. Evaluate fewer cases at once.');
  try {
    const { inputs, query, files, pinned } = test;
    const graph = pinnedGraph(evaluation.graph, pinned);
    const { machine, runId } = await ran({ graph, inputs, query, files }, evaluation, options, ports);
    total.cost = added(total.cost, machine.cost);
    const reasons = [...endingFaults(test, machine)];
    if (reasons.length === 0)
      for (const check of test.checks) {
        const fault = await checkFault(check, machine, total, evaluation, options, ports);
        if (fault !== null) reasons.push(fault);
      }
    const status = machine.isWaiting ? 'waiting' : machine.status;
    return report({ runId, status, answer: machine.answer, reasons });
  } catch (error) {
    if (error instanceof RunRefused) return unbegun(error.message);
    throw error;
  }
}

function endingFaults({ status }: TestCase, machine: RunMachine): readonly string[] {
  if (machine.status === status) return [];
  if (machine.isWaiting) return ['The run waits for people. Pin the node that asks them.'];
  const { failure } = machine;
  const why = failure ? `: ${failure.title ?? failure.nodeId ?? ''} ${failure.code}: ${failure.message}` : '.';
  return [`The run has ended as ${machine.status}, not ${status}${why}`];
}

async function checkFault(
  check: Check,
  machine: RunMachine,
  total: { cost: Cost },
  evaluation: Evaluation,
  options: DriveOptions,
  ports: EvaluatePorts,
): Promise<string | null> {
  const value = subjectOf(check, machine);
  if (check.kind !== 'judgement') return faultOf(check, value, ports.schemas);
  const graph = judgeGraph(check.criteria, value, evaluation.applicationId);
  const judged = await ran({ graph, inputs: {}, query: '', files: [] }, evaluation, options, ports);
  total.cost = added(total.cost, judged.machine.cost);
  const { outputs, failure } = judged.machine;
  if (outputs.passes === true) return null;
  if (outputs.passes === false) return `${check.of} does not meet the criteria: ${String(outputs.reason)}`;
  return `${check.of} could not be judged: ${failure?.message ?? 'the model gave no judgement.'}`;
}

/** @throws RunRefused */
async function ran(
  of: { readonly graph: Graph } & Pick<RunRequest, 'inputs' | 'query'> & { readonly files: readonly Json[] },
  { workspaceId, workflowId, workflowVersion, caller }: Evaluation,
  options: DriveOptions,
  ports: EvaluatePorts,
) {
  const trigger = { kind: 'evaluation', caller, applicationId: null, sessionId: null } as const;
  const checked = checkedRun({ workspaceId, workflowId, workflowVersion, ...of, history: [], trigger }, ports);
  const { machine } = await ports.shares.within(checked.head, trigger.kind, () => beginRun(checked, options, ports));
  return { machine, runId: checked.head.runId };
}
