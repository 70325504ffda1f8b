import {
  DEFAULT_HANDLE,
  MAX_ATTEMPTS,
  MAX_RETRY_DELAY_MS,
} from '../../../../../functions/workflows/domain/graph/graph.ts';
import { Note, Select, TextField } from '../../../ui/controls.tsx';
import { type Graph, type GraphNode, handleOf } from '../graph.ts';
import { connected, keyOf, withNode, withoutEdges } from './edit-graph.ts';
import { FieldsForm, JsonInput, RecordInput } from './field-input.tsx';
import { handlesOf, isKnownType, mayFail, NODE_KINDS, type VariableGroup, variablesAt } from './known-nodes.ts';
import { textOf, useTexts } from './texts.ts';

const ANY_RECORD = { kind: 'record', of: { kind: 'value', type: 'any' }, max: 100 } as const;

/** The form of one node: its title, configuration, what follows it, and what happens when it fails. */
export function NodePanel({
  node,
  graph,
  notes,
  canEdit,
  onChange,
}: {
  node: GraphNode;
  graph: Graph;
  notes: readonly string[];
  canEdit: boolean;
  /** @param about subject of the change, for undoing */
  onChange: (graph: Graph, about: string) => void;
}) {
  const texts = useTexts();
  const { id, type, data = {} } = node;
  const variables = variablesAt(graph, id);
  const changeData = (change: Partial<NonNullable<GraphNode['data']>>, about: string) =>
    onChange(withNode(graph, { ...node, data: { ...data, ...change } }), `${id} ${about}`);
  const config = data.config ?? {};
  return (
    <section className="flex flex-col gap-3" aria-label={data.title || id}>
      <p className="text-sm text-muted">
        {textOf(texts.types, type)} · {id}
      </p>
      {notes.length > 0 && (
        <Note tone="warn">
          <ul className="list-disc ps-5">
            {notes.map((note) => (
              <li key={note} className="[overflow-wrap:anywhere]">
                {note}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-3">
        <TextField
          label={texts.fields.title}
          value={data.title ?? ''}
          onChange={({ target }) => changeData({ title: target.value }, 'title')}
        />
        {isKnownType(type) && (
          <FieldsForm
            fields={NODE_KINDS[type].config}
            values={config}
            variables={variables}
            onChange={(next) => changeData({ config: next }, changedMember(config, next))}
          />
        )}
        {USES_INPUTS.has(type) && (
          <RecordInput
            label={texts.ui.inputs}
            field={ANY_RECORD}
            value={data.inputs}
            variables={variables}
            onChange={(inputs) => changeData({ inputs: inputs as Record<string, unknown> }, 'inputs')}
          />
        )}
        <Exits node={node} graph={graph} onChange={(next) => onChange(next, `${id} exits`)} />
        <BodyChoice node={node} graph={graph} onChange={(next) => onChange(next, `${id} body`)} />
        <Failure node={node} variables={variables} onChange={(change) => changeData(change, 'failure')} />
        <details>
          <summary className="cursor-pointer text-sm text-accent">{texts.ui.advanced}</summary>
          <JsonInput
            key={id}
            label={texts.ui.advanced}
            value={config}
            onChange={(next) => changeData({ config: next as Record<string, unknown> }, 'json')}
          />
        </details>
      </fieldset>
    </section>
  );
}

/** Types whose programs, templates or answers work on named values. */
const USES_INPUTS = new Set(['code', 'template', 'answer']);

/** The member that differs, so that typing into one field is one step of undoing. */
function changedMember(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string {
  return Object.keys({ ...before, ...after }).find((name) => before[name] !== after[name]) ?? '';
}

/** Targets of the exits; the same can be drawn on the canvas. */
function Exits({ node, graph, onChange }: { node: GraphNode; graph: Graph; onChange: (graph: Graph) => void }) {
  const texts = useTexts();
  const used = graph.edges.filter(({ source }) => source === node.id);
  const handles = [...new Set([...handlesOf(node), ...used.map(handleOf)])];
  const targets = graph.nodes.filter(
    ({ id, type, parent_id }) => id !== node.id && type !== 'start' && (parent_id ?? null) === (node.parent_id ?? null),
  );
  if (handles.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-2">
      <legend className="px-1 text-sm font-medium">{texts.ui.exits}</legend>
      {handles.map((handle) => {
        const edges = used.filter((edge) => handleOf(edge) === handle);
        const choose = (target: string) => {
          const without = withoutEdges(graph, new Set(edges.map(keyOf)));
          onChange(target === '' ? without : connected(without, { source: node.id, target, sourceHandle: handle }));
        };
        return (
          <Select
            key={handle}
            label={handle === DEFAULT_HANDLE ? texts.handles.out : textOf(texts.handles, handle)}
            value={edges.length > 1 ? 'several' : (edges[0]?.target ?? '')}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">{texts.ui.unconnected}</option>
            {edges.length > 1 && (
              <option value="several" disabled>
                {edges.map(({ target }) => target).join(', ')}
              </option>
            )}
            {targets.map(({ id, data }) => (
              <option key={id} value={id}>
                {data?.title || id}
              </option>
            ))}
          </Select>
        );
      })}
    </fieldset>
  );
}

/** The iteration or loop in whose body the node is, where the graph has one. */
function BodyChoice({ node, graph, onChange }: { node: GraphNode; graph: Graph; onChange: (graph: Graph) => void }) {
  const texts = useTexts();
  const owners = graph.nodes.filter(
    ({ id, type }) => id !== node.id && isKnownType(type) && NODE_KINDS[type].nature === 'body',
  );
  if (owners.length === 0 || node.type === 'start') return null;
  return (
    <Select
      label={texts.ui.body}
      value={node.parent_id ?? ''}
      onChange={({ target }) => {
        const { parent_id: _, ...others } = node;
        const moved = { ...others, ...(target.value && { parent_id: target.value }) };
        const nodes = graph.nodes.map((each) => (each.id === node.id ? moved : each));
        // Edges cannot lead into a body or out of it.
        const edges = graph.edges.filter(({ source, target: end }) => source !== node.id && end !== node.id);
        onChange({ ...graph, nodes, edges });
      }}
    >
      <option value="">{texts.ui.outside}</option>
      {owners.map(({ id, data }) => (
        <option key={id} value={id}>
          {data?.title || id}
        </option>
      ))}
    </Select>
  );
}

function Failure({
  node: { type, data = {} },
  variables,
  onChange,
}: {
  node: GraphNode;
  variables: readonly VariableGroup[];
  onChange: (change: Partial<NonNullable<GraphNode['data']>>) => void;
}) {
  const texts = useTexts();
  if (!isKnownType(type) || !mayFail({ type })) return null;
  const { retry, default_output: defaultOutput, on_error: onError = 'fail' } = data;
  return (
    <details open={onError !== 'fail' || (retry?.max_attempts ?? 1) > 1}>
      <summary className="cursor-pointer text-sm text-accent">{texts.ui.failure}</summary>
      <div className="mt-2 flex flex-col gap-3">
        <Select
          label={texts.ui.failure}
          value={onError}
          onChange={({ target }) => onChange({ on_error: target.value as 'fail' | 'default' | 'branch' })}
        >
          <option value="fail">{texts.choices.fail}</option>
          <option value="default">{texts.ui.defaultOutput}</option>
          <option value="branch">{texts.choices.branch}</option>
        </Select>
        {onError === 'default' && (
          <RecordInput
            label={texts.ui.defaultOutput}
            field={ANY_RECORD}
            value={defaultOutput ?? {}}
            variables={variables}
            onChange={(values) => onChange({ default_output: values as Record<string, unknown> })}
          />
        )}
        {NODE_KINDS[type].nature === 'effect' && (
          <>
            <TextField
              label={texts.ui.retries}
              type="number"
              min={1}
              max={MAX_ATTEMPTS}
              value={retry?.max_attempts ?? 1}
              onChange={({ target }) => {
                const attempts = Math.min(MAX_ATTEMPTS, Math.max(1, Number(target.value) || 1));
                const { delay_ms = 500, backoff = 'exponential' } = retry ?? {};
                onChange({ retry: attempts === 1 ? null : { max_attempts: attempts, delay_ms, backoff } });
              }}
            />
            {retry && (
              <TextField
                label={texts.ui.retryDelay}
                type="number"
                min={0}
                max={MAX_RETRY_DELAY_MS}
                value={retry.delay_ms}
                onChange={({ target }) => onChange({ retry: { ...retry, delay_ms: Number(target.value) || 0 } })}
              />
            )}
          </>
        )}
      </div>
    </details>
  );
}
