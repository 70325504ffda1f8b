import { useId } from 'react';
import { useT } from '../../texts/i18n.ts';

/** A plain text area that keeps the indentation; Tab stays the key that leaves it, as everywhere. */
export function CodeField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const id = useId();
  const t = useT();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        className="field min-h-64 resize-y font-mono text-sm [tab-size:4]"
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        value={value}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          const { selectionStart: at, selectionEnd } = event.currentTarget;
          const line = value.slice(value.lastIndexOf('\n', at - 1) + 1, at);
          const indent = /^[ \t]*/.exec(line)![0];
          if (indent === '') return;
          event.preventDefault();
          const target = event.currentTarget;
          onChange(`${value.slice(0, at)}\n${indent}${value.slice(selectionEnd)}`);
          requestAnimationFrame(() => target.setSelectionRange(at + 1 + indent.length, at + 1 + indent.length));
        }}
      />
      <p id={`${id}-note`} className="sr-only">
        {t('sandbox.codeNote')}
      </p>
    </div>
  );
}
