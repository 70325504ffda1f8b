import { useState } from 'react';
import type { Field, Fields } from '../../../../../functions/workflows/domain/graph/fields.ts';
import { MAX_RUNS, VALUE_TYPES } from '../../../../../functions/workflows/domain/graph/graph.ts';
import { any, name } from '../../../../../functions/workflows/domain/graph/node-fields.ts';
import { useT } from '../../../texts/i18n.ts';
import { TextField } from '../../../ui/controls.tsx';
import type { Graph } from '../graph.ts';
import { FieldInput } from './field-input.tsx';
import { textOf, useTexts } from './texts.ts';
import { TypeIcon } from './type-icon.tsx';

const optionalAny: Field = { ...any, optional: true };
const optionalText: Field = { kind: 'literal', optional: true };
const declared = (fields: Fields): Field => ({ kind: 'list', min: 0, max: 100, of: { kind: 'object', fields } });
const CONVERSATION = declared({
  name,
  type: { kind: 'choice', of: VALUE_TYPES },
  default: optionalAny,
  description: optionalText,
});
const ENVIRONMENT = declared({ name, type: { kind: 'choice', of: [...VALUE_TYPES, 'secret'] }, value: optionalAny });

/** The panel without a selected node: the nodes by name, and settings of the workflow as a whole. */
export function WorkflowPanel({
  graph,
  canEdit,
  onSelect,
  onChange,
}: {
  graph: Graph;
  canEdit: boolean;
  onSelect: (id: string) => void;
  onChange: (graph: Graph, about: string) => void;
}) {
  const t = useT();
  const texts = useTexts();
  const [sought, setSought] = useState('');
  const wanted = sought.trim().toLowerCase();
  const found = graph.nodes.filter(({ id, type, data }) =>
    [id, data?.title ?? '', textOf(texts.types, type)].some((text) => text.toLowerCase().includes(wanted)),
  );
  const variables = (member: 'conversation_variables' | 'environment_variables', field: Field, label: string) => (
    <details>
      <summary className="cursor-pointer text-sm text-accent">{label}</summary>
      <FieldInput
        name={label}
        field={field}
        value={graph[member] ?? []}
        siblings={{}}
        variables={[]}
        onChange={(value) => onChange({ ...graph, [member]: value as [] }, member)}
      />
    </details>
  );
  return (
    <section className="flex flex-col gap-3" aria-label={texts.ui.settings}>
      <TextField
        label={texts.ui.search}
        type="search"
        value={sought}
        onChange={({ target }) => setSought(target.value)}
      />
      {found.length === 0 && <p className="text-sm text-muted">{texts.ui.noNodes}</p>}
      <ul className="flex max-h-72 flex-col overflow-y-auto">
        {found.map(({ id, type, data }) => (
          <li key={id}>
            <button
              type="button"
              data-shows={id}
              className="flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-start text-sm hover:bg-raised"
              onClick={() => onSelect(id)}
            >
              <TypeIcon type={type} />
              <span className="[overflow-wrap:anywhere]">{data?.title || id}</span>
            </button>
          </li>
        ))}
      </ul>
      <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-3">
        <TextField
          label={t('workflows.maxRuns')}
          type="number"
          min={1}
          max={MAX_RUNS}
          value={graph.settings?.max_runs ?? ''}
          onChange={({ target }) => {
            const { max_runs: _, ...settings } = graph.settings ?? {};
            const maxRuns = Number(target.value);
            onChange({ ...graph, settings: { ...settings, ...(maxRuns > 0 && { max_runs: maxRuns }) } }, 'settings');
          }}
        />
        {variables('conversation_variables', CONVERSATION, texts.ui.conversation)}
        {variables('environment_variables', ENVIRONMENT, texts.ui.environment)}
      </fieldset>
    </section>
  );
}
