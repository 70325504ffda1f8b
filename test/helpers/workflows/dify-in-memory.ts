import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_DATA_SETTINGS } from '../../../functions/accounts/domain/data-settings.ts';
import { systemClock, ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { fillJinja } from '../../../functions/adapters/workflows/jinja-templates.ts';
import { operateList } from '../../../functions/workflows/domain/effects/operate-list.ts';
import type { JsonObject } from '../../../functions/workflows/domain/graph/graph.ts';
import { errorsAmong } from '../../../functions/workflows/domain/graph/graph-issue.ts';
import { graphIssues } from '../../../functions/workflows/domain/graph/validate-graph.ts';
import { withoutData } from '../../../functions/workflows/domain/graph/value-texts.ts';
import { fromDify } from '../../../functions/workflows/domain/import/dify/from-dify.ts';
import { type BeginPorts, beginRun, checkedRun } from '../../../functions/workflows/domain/run/begin-run.ts';
import { type NodeEffects, NodeFailed } from '../../../functions/workflows/domain/run/node-effects.ts';
import { withStoredSecrets } from '../../../functions/workflows/domain/seal-environment.ts';
import type { DifyCase } from './dify-cases/case.ts';
import { type Given, hasEnd } from './dify-engines.ts';

/** Whether a run of a case needs nothing but the engine, templates and lists: no program, server or model. */
export function runsInMemory({ dsl, says }: DifyCase): boolean {
  return says === null && !/"type":"(code|http-request)"/.test(dsl);
}

const effects: NodeEffects = {
  async perform(call) {
    const { node, config, inputs } = call;
    if (node.type === 'list_operator') return operateList(call);
    if (node.type !== 'template') throw new Error(`A node of the type ${node.type} needs more than memory.`);
    const filled = fillJinja(String(config.template), withoutData(inputs) as JsonObject);
    if ('text' in filled) return { outputs: { text: filled.text } };
    throw new NodeFailed('template_failed', JSON.stringify(filled));
  },
};

/** Ports of a run that nothing keeps. */
const ports: BeginPorts = {
  effects,
  ids: ulidIds,
  random: randomBytes,
  serviceUrl: '',
  dataSettings: { dataSettings: async () => DEFAULT_DATA_SETTINGS },
  clock: systemClock,
  queue: { send: async () => undefined },
  pause: { wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined) },
  onFault: (_, error) => {
    throw error;
  },
  runs: { create: async () => undefined },
  places: { enter: async () => null, countWithin: async () => true, leave: async () => [] },
  leases: {
    append: async (_, entry) => entry + 1,
    rest: async (_, entry) => entry + 1,
    requests: async () => null,
    decide: async () => true,
  },
};

/** Imports a file and runs it. */
export async function runInMemory({ dsl, inputs, query, files }: DifyCase): Promise<Given> {
  const draft = fromDify(JSON.parse(dsl)).graph;
  const graph = withStoredSecrets(draft, { ...draft, environment: [] });
  if (errorsAmong(graphIssues(graph)).length > 0) return { failed: true };
  const trigger = { kind: 'api', caller: { kind: 'key', id: 'k' }, applicationId: null, sessionId: null } as const;
  const of = { workspaceId: 'ws', workflowId: 'wf', workflowVersion: 1, graph, trigger };
  const checked = checkedRun({ ...of, inputs: inputs as JsonObject, query, files: files as never, history: [] }, ports);
  const { machine } = await beginRun(checked, { deadlineMs: Date.now() + 290_000 }, ports);
  if (machine.status !== 'succeeded') return { failed: true };
  return hasEnd(dsl) ? { outputs: machine.outputs } : { answer: machine.answer };
}
