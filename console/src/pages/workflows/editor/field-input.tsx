import { useState } from 'react';
import type { Field, Fields } from '../../../../../functions/workflows/domain/graph/fields.ts';
import { UNARY_OPERATORS } from '../../../../../functions/workflows/domain/graph/node-fields.ts';
import { Button, Select, TextArea, TextField } from '../../../ui/controls.tsx';
import type { VariableGroup } from './known-nodes.ts';
import { blankOf, numbered } from './new-nodes.ts';
import { PICKERS } from './pickers.tsx';
import { ReferenceText } from './reference-text.tsx';
import { textOf, useTexts } from './texts.ts';
import { textOfValue, typedValue } from './value-text.ts';

type Values = Readonly<Record<string, unknown>>;

/** A form of an object's members, generated from their descriptions. Optional ones without a value are folded. */
export function FieldsForm({
  fields,
  values,
  variables,
  onChange,
}: {
  fields: Fields;
  values: Values;
  variables: readonly VariableGroup[];
  onChange: (values: Values) => void;
}) {
  const texts = useTexts();
  const [shown, folded] = [[] as string[], [] as string[]];
  for (const [name, field] of Object.entries(fields))
    (field.optional && values[name] === undefined && !OFTEN.has(name) ? folded : shown).push(name);
  const input = (name: string) => (
    <FieldInput
      key={name}
      name={name}
      field={fields[name]!}
      value={values[name]}
      siblings={values}
      variables={variables}
      onChange={(value) => {
        const { [name]: _, ...others } = values;
        onChange(value === undefined ? others : { ...values, [name]: value });
      }}
    />
  );
  return (
    <>
      {shown.map(input)}
      {folded.length > 0 && (
        <details className="flex flex-col gap-3">
          <summary className="cursor-pointer text-sm text-accent">{texts.ui.more}</summary>
          <div className="mt-2 flex flex-col gap-3">{folded.map(input)}</div>
        </details>
      )}
    </>
  );
}

/** Optional members that are set in most nodes. */
const OFTEN = new Set([
  'prompt',
  'system',
  'application_id',
  'tools',
  'body',
  'match',
  'label',
  'title',
  'right',
  'inputs',
]);

export function FieldInput({
  name,
  field,
  value,
  siblings,
  variables,
  onChange,
}: {
  name: string;
  field: Field;
  value: unknown;
  /** The members of the object that it belongs to. */
  siblings: Values;
  variables: readonly VariableGroup[];
  /** undefined removes it. */
  onChange: (value: unknown) => void;
}) {
  const texts = useTexts();
  const label = textOf(texts.fields, name);
  const Picker = PICKERS[name];
  if (Picker && (typeof value === 'string' || value === undefined || Array.isArray(value)))
    return <Picker label={label} value={value} siblings={siblings} onChange={onChange} />;
  if (name === 'right' && UNARY_OPERATORS.includes(String(siblings.operator))) return null;
  const orRemoved = (text: string) => (text === '' && field.optional ? undefined : text);
  switch (field.kind) {
    case 'text':
      return (
        <ReferenceText
          label={label}
          value={typeof value === 'string' ? value : ''}
          variables={variables}
          onChange={(text) => onChange(orRemoved(text))}
        />
      );
    case 'value':
      return <ValueInput label={label} value={value} variables={variables} onChange={onChange} />;
    case 'literal':
      return (field.maxLength ?? 0) > 1_000 ? (
        <TextArea
          label={label}
          rows={5}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(orRemoved(target.value))}
        />
      ) : (
        <TextField
          label={label}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(orRemoved(target.value))}
        />
      );
    case 'choice':
      return (
        <Select label={label} value={String(value ?? '')} onChange={({ target }) => onChange(orRemoved(target.value))}>
          {(field.optional || value === undefined) && <option value="">{texts.ui.unset}</option>}
          {field.of.map((choice) => (
            <option key={choice} value={choice}>
              {textOf(texts.choices, choice)}
            </option>
          ))}
        </Select>
      );
    case 'integer':
    case 'number':
      return (
        <TextField
          label={label}
          type="number"
          min={field.min}
          max={field.max}
          step={field.kind === 'integer' ? 1 : 'any'}
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
        />
      );
    case 'flag':
      return (
        <Select
          label={label}
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
        >
          <option value="">{texts.ui.unset}</option>
          <option value="true">{texts.ui.yes}</option>
          <option value="false">{texts.ui.no}</option>
        </Select>
      );
    case 'json':
      return <JsonInput label={label} value={value} onChange={onChange} />;
    case 'list':
      return <ListInput label={label} field={field} value={value} variables={variables} onChange={onChange} />;
    case 'record':
      return <RecordInput label={label} field={field} value={value} variables={variables} onChange={onChange} />;
    case 'object':
      return (
        <Group label={label}>
          <FieldsForm
            fields={field.fields}
            values={(value ?? {}) as Values}
            variables={variables}
            onChange={(next) => onChange(field.optional && Object.keys(next).length === 0 ? undefined : next)}
          />
        </Group>
      );
  }
}

function Group({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-2">
      <legend className="px-1 text-sm font-medium">{label}</legend>
      {children}
    </fieldset>
  );
}

/** A value of any type, whose text is kept while it is typed. */
function ValueInput({
  label,
  value,
  variables,
  onChange,
}: {
  label: string;
  value: unknown;
  variables: readonly VariableGroup[];
  onChange: (value: unknown) => void;
}) {
  const [typed, setTyped] = useState(() => textOfValue(value));
  const isSame = JSON.stringify(typedValue(typed)) === JSON.stringify(value ?? '');
  return (
    <ReferenceText
      label={label}
      value={isSame ? typed : textOfValue(value)}
      variables={variables}
      onChange={(text) => {
        setTyped(text);
        onChange(typedValue(text));
      }}
    />
  );
}

export function JsonInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(() => JSON.stringify(value ?? {}, null, 2));
  const [fault, setFault] = useState('');
  return (
    <TextArea
      label={label}
      error={fault || undefined}
      rows={8}
      spellCheck={false}
      value={text}
      style={{ fontFamily: 'var(--font-mono)' }}
      onChange={({ target }) => {
        setText(target.value);
        try {
          onChange(JSON.parse(target.value));
          setFault('');
        } catch (error) {
          setFault((error as Error).message);
        }
      }}
    />
  );
}

function ListInput({
  label,
  field: { of, min, max },
  value,
  variables,
  onChange,
}: {
  label: string;
  field: Extract<Field, { kind: 'list' }>;
  value: unknown;
  variables: readonly VariableGroup[];
  onChange: (value: unknown) => void;
}) {
  const texts = useTexts();
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const replace = (index: number, next: unknown) => onChange(entries.with(index, next));
  const names = entries.flatMap((entry) => Object.values((entry ?? {}) as Values)).map(String);
  return (
    <Group label={label}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity.
        <div key={index} className="flex flex-col gap-2 rounded-lg bg-raised p-2">
          {of.kind === 'object' ? (
            <FieldsForm
              fields={of.fields}
              values={(entry ?? {}) as Values}
              variables={variables}
              onChange={(next) => replace(index, settled(next))}
            />
          ) : (
            <FieldInput
              name={`${label} ${index + 1}`}
              field={of}
              value={entry}
              siblings={{}}
              variables={variables}
              onChange={(next) => replace(index, next ?? '')}
            />
          )}
          {entries.length > min && (
            <Button look="quiet" className="self-end" onClick={() => onChange(entries.toSpliced(index, 1))}>
              {texts.ui.removeEntry}
            </Button>
          )}
        </div>
      ))}
      {entries.length < max && (
        <Button className="self-start" onClick={() => onChange([...entries, blankOf(of, '', names)])}>
          {texts.ui.addEntry}
          <span className="sr-only"> {label}</span>
        </Button>
      )}
    </Group>
  );
}

/** A comparison without what its operator does not use, and with what it does. */
function settled(values: Values): Values {
  if (typeof values.operator !== 'string' || !('left' in values)) return values;
  const { right = '', ...others } = values;
  return UNARY_OPERATORS.includes(values.operator) ? others : { ...others, right };
}

export function RecordInput({
  label,
  field: { of, max },
  value,
  variables,
  onChange,
}: {
  label: string;
  field: Extract<Field, { kind: 'record' }>;
  value: unknown;
  variables: readonly VariableGroup[];
  onChange: (value: unknown) => void;
}) {
  const texts = useTexts();
  const entries = Object.entries((value ?? {}) as Values);
  const replace = (index: number, entry: readonly [string, unknown]) =>
    onChange(Object.fromEntries(entries.with(index, entry as [string, unknown])));
  return (
    <Group label={label}>
      {entries.map(([name, each], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed.
        <div key={index} className="flex flex-col gap-2 rounded-lg bg-raised p-2">
          <TextField
            label={texts.ui.entryName}
            value={name}
            onChange={({ target }) => {
              const isTaken = entries.some(([other], place) => place !== index && other === target.value);
              if (!isTaken) replace(index, [target.value, each]);
            }}
          />
          <FieldInput
            name="value"
            field={of}
            value={each}
            siblings={{}}
            variables={variables}
            onChange={(next) => replace(index, [name, next ?? ''])}
          />
          <Button
            look="quiet"
            className="self-end"
            onClick={() => onChange(Object.fromEntries(entries.toSpliced(index, 1)))}
          >
            {texts.ui.removeEntry}
          </Button>
        </div>
      ))}
      {entries.length < max && (
        <Button
          className="self-start"
          onClick={() => {
            const name = numbered(
              'value',
              entries.map(([each]) => each),
            );
            onChange({ ...((value ?? {}) as Values), [name]: blankOf(of) });
          }}
        >
          {texts.ui.addEntry}
          <span className="sr-only"> {label}</span>
        </Button>
      )}
    </Group>
  );
}
