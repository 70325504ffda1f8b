import { useState } from 'react';
import { useT } from '../../texts/i18n.ts';
import { Button, Select, TextArea, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ACCEPTED, upload } from '../read/send.ts';
import { type ChatTurn, ChatTurns } from './chat-turns.tsx';
import { useTexts } from './editor/texts.ts';
import type { Graph } from './graph.ts';
import type { LiveRun } from './live-run.ts';

/** A field of a start node. */
interface InputField {
  readonly name: string;
  readonly type?: string;
  readonly label?: string;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly options?: readonly string[];
}

/** Runs the draft: with a field for each input of its start, and a message where the workflow reads one. */
export function RunForm({ graph, isChanged, live }: { graph: Graph; isChanged: boolean; live: LiveRun }) {
  const t = useT();
  const [inputs, setInputs] = useState<Readonly<Record<string, unknown>>>({});
  const [query, setQuery] = useState('');
  const [turns, setTurns] = useState<readonly ChatTurn[]>([]);
  const [uploading, setUploading] = useState(0);
  const [fault, setFault] = useState<unknown>(null);
  const first = graph.nodes.find(({ type }) => type === 'start');
  const declared = first?.data?.config?.fields;
  const fields = Array.isArray(declared) ? (declared as readonly InputField[]) : [];
  const isChat = JSON.stringify(graph.nodes).includes('{{sys.query');
  const set = (name: string, value: unknown) => setInputs((before) => ({ ...before, [name]: value }));
  const send = async (name: string, files: readonly File[], isList: boolean) => {
    setFault(null);
    setUploading((count) => count + 1);
    try {
      const addresses = await Promise.all(files.map(upload));
      set(name, isList ? addresses : addresses[0]);
    } catch (error) {
      setFault(error);
    } finally {
      setUploading((count) => count - 1);
    }
  };
  const given = () => {
    const known = fields.filter(({ name }) => inputs[name] !== undefined && inputs[name] !== '');
    return Object.fromEntries(known.map(({ name }) => [name, inputs[name]]));
  };
  const canStart = !live.isStarting && !isChanged && uploading === 0;
  const start = () => {
    const asked = query;
    const onBegun = (runId: string) => {
      if (!isChat) return;
      setTurns((before) => [...before, { question: asked, runId }]);
      setQuery('');
    };
    void live.start({ inputs: given(), query }, onBegun);
  };
  return (
    <form
      className="card flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <h2 className="font-semibold">{t('workflows.run')}</h2>
      {fields.map((field) => (
        <RunInput
          key={field.name}
          field={field}
          value={inputs[field.name]}
          onChange={(value) => set(field.name, value)}
          onFiles={(files) => void send(field.name, files, field.type === 'files')}
        />
      ))}
      {isChat && (
        <>
          <ChatTurns turns={turns} pending={live.isStarting ? query : null} />
          <TextArea
            label={t('workflows.message')}
            rows={2}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              if (canStart) start();
            }}
          />
        </>
      )}
      {isChanged && <p className="text-sm text-muted">{t('workflows.saveFirst')}</p>}
      <ProblemNote error={live.error ?? fault} />
      <Button type="submit" look="main" className="self-start" disabled={!canStart}>
        {t('workflows.run')}
      </Button>
    </form>
  );
}

function RunInput({
  field: { name, type, label = name, options = [], default: byDefault },
  value,
  onChange,
  onFiles,
}: {
  field: InputField;
  value: unknown;
  onChange: (value: unknown) => void;
  onFiles: (files: readonly File[]) => void;
}) {
  const t = useT();
  const { ui } = useTexts();
  const shown = label || name;
  switch (type) {
    case 'select':
      return (
        <Select
          label={shown}
          value={String(value ?? byDefault ?? '')}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{ui.choose}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      );
    case 'boolean':
      return (
        <Select
          label={shown}
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
        >
          <option value="">{ui.unset}</option>
          <option value="true">{ui.yes}</option>
          <option value="false">{ui.no}</option>
        </Select>
      );
    case 'number':
      return (
        <TextField
          label={shown}
          type="number"
          step="any"
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
        />
      );
    case 'file':
    case 'files':
      return (
        <TextField
          label={shown}
          hint={value === undefined ? undefined : t('workflows.uploaded')}
          type="file"
          accept={ACCEPTED}
          multiple={type === 'files'}
          onChange={({ target }) => onFiles([...(target.files ?? [])])}
        />
      );
    case 'list':
    case 'object':
      return <JsonText label={shown} onChange={onChange} />;
    default:
      return <TextField label={shown} value={String(value ?? '')} onChange={({ target }) => onChange(target.value)} />;
  }
}

function JsonText({ label, onChange }: { label: string; onChange: (value: unknown) => void }) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  return (
    <TextArea
      label={`${label} (JSON)`}
      error={fault || undefined}
      rows={3}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        try {
          onChange(target.value.trim() === '' ? undefined : JSON.parse(target.value));
          setFault('');
        } catch (error) {
          setFault((error as Error).message);
        }
      }}
    />
  );
}
