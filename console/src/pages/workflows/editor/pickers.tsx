import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { api, dataOf } from '../../../api/client.ts';
import { useT } from '../../../texts/i18n.ts';
import { Select, TextField } from '../../../ui/controls.tsx';
import { BUILT_IN_TOOLS } from '../../applications/built-in-tools.ts';
import { EXAMPLES, type Language } from '../../sandbox/examples.ts';
import { useTexts } from './texts.ts';

interface PickerProps {
  readonly label: string;
  readonly value: unknown;
  readonly siblings: Readonly<Record<string, unknown>>;
  readonly onChange: (value: unknown) => void;
}

/** Fields whose values are things of the workspace, or have a separate editor, by their names. */
export const PICKERS: Readonly<Record<string, (props: PickerProps) => React.ReactNode>> = {
  application_id: ApplicationPicker,
  knowledge_base_ids: KnowledgePicker,
  workflow_id: WorkflowPicker,
  tools: ToolsPicker,
  tool: ToolPicker,
  code: CodePicker,
};

const MANY = { params: { query: { limit: 100 } } } as const;

function ApplicationPicker({ label, value, onChange }: PickerProps) {
  const texts = useTexts();
  const { data } = useQuery({
    queryKey: ['applications', 'names'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/applications', MANY))).data.applications,
  });
  const chats = (data ?? []).filter(({ type, id }) => type === 'chat' || id === value);
  return <Choice label={label} none={texts.ui.ownModel} value={value} of={chats} onChange={onChange} />;
}

function WorkflowPicker({ label, value, onChange }: PickerProps) {
  const texts = useTexts();
  const { data } = useQuery({
    queryKey: ['workflows', 'names'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/workflows', MANY))).data.workflows,
  });
  const choose = (id: unknown) => onChange(id ?? '');
  return <Choice label={label} none={texts.ui.choose} value={value} of={data ?? []} onChange={choose} />;
}

/** One of some things by its name. A chosen one that is not listed stays. */
function Choice({
  label,
  none,
  value,
  of,
  onChange,
}: {
  label: string;
  none: string;
  value: unknown;
  of: readonly { readonly id: string; readonly name: string }[];
  onChange: (value: unknown) => void;
}) {
  const chosen = typeof value === 'string' ? value : '';
  return (
    <Select label={label} value={chosen} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">{none}</option>
      {chosen !== '' && !of.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
      {of.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function KnowledgePicker({ label, value, onChange }: PickerProps) {
  const { data } = useQuery({
    queryKey: ['knowledge-bases', 'names'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/knowledge-bases', MANY))).data.knowledge_bases,
  });
  return <Checks label={label} value={value} of={data ?? []} onChange={onChange} />;
}

function ToolsPicker({ label, value, onChange }: PickerProps) {
  const t = useT();
  const of = BUILT_IN_TOOLS.map((id) => ({ id, name: t(`applications.tool.${id}`) }));
  return <Checks label={label} value={value} of={of} onChange={onChange} />;
}

function Checks({
  label,
  value,
  of,
  onChange,
}: {
  label: string;
  value: unknown;
  of: readonly { readonly id: string; readonly name: string }[];
  onChange: (value: unknown) => void;
}) {
  const texts = useTexts();
  const chosen: readonly string[] = Array.isArray(value) ? value.map(String) : [];
  const unlisted = chosen.filter((id) => !of.some((each) => each.id === id)).map((id) => ({ id, name: id }));
  const all = [...of, ...unlisted];
  return (
    <fieldset className="flex flex-col gap-1 rounded-lg border border-line p-2">
      <legend className="px-1 text-sm font-medium">{label}</legend>
      {all.length === 0 && <p className="text-sm text-muted">{texts.ui.nothing}</p>}
      {all.map(({ id, name }) => (
        <label key={id} className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
          />
          <span className="[overflow-wrap:anywhere]">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function ToolPicker({ label, value, onChange }: PickerProps) {
  return (
    <>
      <TextField
        label={label}
        list="workflow-tools"
        value={String(value ?? '')}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id="workflow-tools">
        {BUILT_IN_TOOLS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

const CodeField = lazy(async () => ({ default: (await import('../../sandbox/code-field.tsx')).CodeField }));

function CodePicker({ label, value, siblings, onChange }: PickerProps) {
  const t = useT();
  const language = Object.hasOwn(EXAMPLES, String(siblings.language)) ? (siblings.language as Language) : 'python';
  return (
    <Suspense fallback={<p role="status">{t('common.loading')}</p>}>
      <CodeField
        label={label}
        caret={() => null}
        language={language}
        value={String(value ?? '')}
        onChange={onChange}
        onRun={() => undefined}
      />
    </Suspense>
  );
}
