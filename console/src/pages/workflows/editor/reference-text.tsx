import { useRef } from 'react';
import { Field } from '../../../ui/controls.tsx';
import type { VariableGroup } from './known-nodes.ts';
import { useTexts } from './texts.ts';

/** A text in which values of other nodes are written as {{node.output}}; a list below it inserts them. */
export function ReferenceText({
  label,
  value,
  variables,
  onChange,
}: {
  label: string;
  value: string;
  variables: readonly VariableGroup[];
  onChange: (text: string) => void;
}) {
  const texts = useTexts();
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (reference: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {};
    const hadFocus = area.current?.dataset.touched === 'true';
    const [from, to] = hadFocus ? [selectionStart, selectionEnd] : [value.length, value.length];
    onChange(value.slice(0, from) + reference + value.slice(to));
  };
  return (
    <div className="flex flex-col gap-1">
      <Field label={label}>
        {(attributes) => (
          <textarea
            ref={area}
            className="field"
            rows={Math.min(10, Math.max(2, value.split('\n').length))}
            value={value}
            onFocus={({ target }) => {
              target.dataset.touched = 'true';
            }}
            onChange={({ target }) => onChange(target.value)}
            {...attributes}
          />
        )}
      </Field>
      <select
        aria-label={`${label}: ${texts.ui.insert}`}
        className="self-start rounded-lg border border-line bg-panel px-2 py-1 text-xs text-ink"
        value=""
        onChange={({ target }) => insert(target.value)}
      >
        <option value="">{texts.ui.insert}</option>
        {variables.map((group) => (
          <optgroup key={group.title} label={group.title}>
            {group.variables.map(({ reference, name }) => (
              <option key={reference} value={reference}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}
