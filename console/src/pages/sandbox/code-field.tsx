import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useT } from '../../texts/i18n.ts';
import type { Language } from './examples.ts';
import { languageSupport } from './languages.ts';

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--color-accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--color-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-warn)' },
  { tag: tags.comment, color: 'var(--color-muted)', fontStyle: 'italic' },
]);

const LOOK = EditorView.theme({
  '&': { minHeight: '16rem', maxHeight: '32rem', fontSize: '0.875rem', color: 'var(--color-ink)' },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '2px' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--font-mono)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--color-muted)', border: 'none' },
  '.cm-content': { caretColor: 'var(--color-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--color-raised)',
  },
});

/**
 * An editor of programs. It is in a shadow tree: there its styles come as style sheets of the script, which the page's policy allows, and not as
 * elements, which it does not. Tab stays the key that leaves it, as everywhere; Ctrl-Enter runs the program.
 */
export function CodeField({
  label,
  caret,
  language,
  value,
  onChange,
  onRun,
}: {
  label: string;
  /** Where the person was typing before the editor was there; null: nowhere. */
  caret: () => number | null;
  language: Language;
  /** The text to start with. From then on the editor has its own; for another one it is made anew. */
  value: string;
  onChange: (text: string) => void;
  onRun: () => void;
}) {
  const t = useT();
  const host = useRef<HTMLDivElement>(null);
  const [typedAt] = useState(caret);
  const view = useRef<EditorView>(null);
  const support = useRef(new Compartment());
  const changed = useEffectEvent(onChange);
  const ran = useEffectEvent(onRun);
  const initial = useEffectEvent(() => ({ doc: value, label, typedAt }));

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const { doc, label: name, typedAt: at } = initial();
    const run = () => {
      ran();
      return true;
    };
    const extensions: Extension[] = [
      [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(COLOURS),
        LOOK,
      ],
      keymap.of([{ key: 'Mod-Enter', run }, ...defaultKeymap, ...historyKeymap]),
      support.current.of([]),
      // A tab stop, so that the keyboard reaches every line of the scrolling text.
      EditorView.contentAttributes.of({
        'aria-label': name,
        tabindex: '0',
        spellcheck: 'false',
        autocapitalize: 'off',
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ];
    const editor = new EditorView({ root, parent: root, state: EditorState.create({ doc, extensions }) });
    view.current = editor;
    if (at !== null) {
      editor.dispatch({ selection: { anchor: Math.min(at, doc.length) } });
      editor.focus();
    }
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    let isOver = false;
    void languageSupport(language).then((extension) => {
      if (!isOver) view.current?.dispatch({ effects: support.current.reconfigure(extension) });
    });
    return () => {
      isOver = true;
    };
  }, [language]);

  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm font-medium" aria-hidden="true">
        {label}
      </p>
      <div ref={host} className="rounded-lg border border-line bg-panel" />
      <p className="text-xs text-muted">{t('sandbox.codeNote')}</p>
    </div>
  );
}
