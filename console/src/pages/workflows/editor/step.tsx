import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { textOf, useTexts } from './texts.ts';
import { TypeIcon } from './type-icon.tsx';

export type State = 'succeeded' | 'failed' | 'running' | 'skipped' | 'waiting';

/** A node as the canvas shows it. */
export interface Shown extends Record<string, unknown> {
  readonly title: string;
  readonly type: string;
  readonly handles: readonly string[];
  /** Title of the iteration or loop that it is in. */
  readonly body: string | null;
  readonly isWrong: boolean;
  readonly state: State | undefined;
}

const COLOURS: Readonly<Record<State, string>> = {
  succeeded: 'border-good bg-good-back',
  failed: 'border-bad bg-bad-back',
  running: 'border-warn bg-warn-back',
  waiting: 'border-warn bg-warn-back',
  skipped: 'border-line bg-raised',
};

const HANDLE = '!h-3.5 !w-3.5 !border-2 !border-panel !bg-accent';

export function Step({ data, selected }: NodeProps<Node<Shown>>) {
  const { title, type, handles, body, isWrong, state } = data;
  const texts = useTexts();
  const look = state ? COLOURS[state] : isWrong ? 'border-bad bg-panel' : 'border-line bg-panel';
  return (
    <div
      className={`w-52 rounded-lg border-2 p-2 text-sm text-ink ${look} ${selected ? 'ring-2 ring-accent ring-offset-1' : ''}`}
    >
      {type !== 'start' && <Handle type="target" position={Position.Left} className={HANDLE} />}
      <p className="flex items-center gap-1.5 font-semibold">
        <TypeIcon type={type} />
        <span className="truncate">{title}</span>
      </p>
      <p className="truncate text-xs text-muted">
        {textOf(texts.types, type)} {body !== null && `· ${texts.ui.inBody.replace('{name}', body)}`} {isWrong && '⚠'}
      </p>
      {handles.length === 1 ? (
        <Handle id={handles[0]} type="source" position={Position.Right} className={HANDLE} />
      ) : (
        <ul className="mt-1 flex flex-col gap-1">
          {handles.map((handle) => (
            <li key={handle} className="relative -me-2 truncate pe-4 text-end text-xs">
              {textOf(texts.handles, handle)}
              <Handle id={handle} type="source" position={Position.Right} className={HANDLE} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
