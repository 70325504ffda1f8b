import type { Edge, Node, ReactFlowInstance } from '@xyflow/react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Button, Note } from '../../../ui/controls.tsx';
import type { Graph, Issue } from '../graph.ts';
import type { ImportFinding } from '../import-findings.ts';
import { Canvas } from './canvas.tsx';
import { clipOf, withClip, withNewNode, withoutNodes } from './edit-graph.ts';
import type { NodeType } from './known-nodes.ts';
import { newNode } from './new-nodes.ts';
import { NodePanel } from './node-panel.tsx';
import type { Shown, State } from './step.tsx';
import { useTexts } from './texts.ts';
import { tidied } from './tidy.ts';
import { Toolbar } from './toolbar.tsx';
import type { Undoable } from './use-history.ts';
import { WorkflowPanel } from './workflow-panel.tsx';

type Flow = ReactFlowInstance<Node<Shown>, Edge>;

/** The canvas with its tools, with the form of the selected node, or of the workflow. */
export function Editor({
  history,
  issues,
  findings,
  states,
  canEdit,
}: {
  history: Undoable<Graph>;
  issues: readonly Issue[];
  findings: readonly ImportFinding[];
  states: ReadonlyMap<string, State>;
  canEdit: boolean;
}) {
  const texts = useTexts();
  const flow = useRef<Flow>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isExpanded, setExpanded] = useState(false);
  // Forms keep typed texts; after undoing they are made anew.
  const [revision, setRevision] = useState(0);
  const graph = history.value;
  const chosen = graph.nodes.filter(({ id }) => selected.has(id));
  const [only] = chosen.length === 1 ? chosen : [];

  const show = (id: string) => {
    setSelected(new Set([id]));
    void flow.current?.fitView({ nodes: [{ id }], maxZoom: 1, duration: 200 });
  };
  const add = (type: NodeType) => {
    const node = newNode(type, texts.types[type], graph.nodes, only);
    history.set(withNewNode(graph, node, only));
    show(node.id);
  };
  const remove = () => {
    history.set(withoutNodes(graph, selected));
    setSelected(new Set());
  };
  const duplicate = () => {
    const copied = withClip(graph, clipOf(graph, selected));
    history.set(copied.graph);
    setSelected(copied.ids);
  };
  const step = (direction: 'undo' | 'redo') => {
    history[direction]();
    setRevision(revision + 1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
    if (!canEdit || isTyping || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isUndo = event.code === 'KeyZ' && !event.shiftKey;
    const isRedo = event.code === 'KeyY' || (event.code === 'KeyZ' && event.shiftKey);
    if (!isUndo && !isRedo) return;
    event.preventDefault();
    step(isUndo ? 'undo' : 'redo');
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts of the buttons in it.
    <div
      className={`flex flex-col gap-2 ${isExpanded ? 'fixed inset-0 z-40 overflow-y-auto bg-canvas p-3' : ''}`}
      onKeyDown={onKeyDown}
    >
      <Toolbar
        canEdit={canEdit}
        canUndo={history.canUndo}
        canRedo={history.canRedo}
        hasSelection={chosen.length > 0}
        isExpanded={isExpanded}
        onAdd={add}
        onUndo={() => step('undo')}
        onRedo={() => step('redo')}
        onDelete={remove}
        onDuplicate={duplicate}
        onTidy={() => void tidied(graph).then((arranged) => history.set(arranged))}
        onExpand={() => setExpanded(!isExpanded)}
      />
      <div
        className={`grid min-h-0 gap-3 lg:grid-cols-[minmax(0,1fr)_22rem] ${isExpanded ? 'flex-1' : 'lg:h-[max(32rem,calc(100dvh-12rem))]'}`}
      >
        <div className="h-[26rem] min-w-0 lg:h-full">
          <Canvas
            graph={graph}
            issues={issues}
            findings={findings}
            states={states}
            selected={selected}
            canEdit={canEdit}
            onChange={(next) => history.set(next)}
            onSelect={setSelected}
            onReady={(ready) => {
              flow.current = ready;
            }}
          />
        </div>
        <div className="card relative min-h-0 overflow-y-auto">
          {only ? (
            <NodePanel
              key={`${only.id} ${revision}`}
              node={only}
              graph={graph}
              notes={notesOf(only.id, findings, issues)}
              canEdit={canEdit}
              onChange={history.set}
            />
          ) : chosen.length > 1 ? (
            <p>{texts.ui.selected.replace('{n}', String(chosen.length))}</p>
          ) : (
            <WorkflowPanel key={revision} graph={graph} canEdit={canEdit} onSelect={show} onChange={history.set} />
          )}
        </div>
      </div>
      {issues.length > 0 && <Issues issues={issues} onShow={show} />}
    </div>
  );
}

function Issues({ issues, onShow }: { issues: readonly Issue[]; onShow: (id: string) => void }) {
  const { ui } = useTexts();
  return (
    <Note tone="warn" role="status">
      <p className="font-semibold">{ui.issues}</p>
      <ul className="list-disc ps-5">
        {issues.map(({ node_id, field, message }) => (
          <li key={`${node_id} ${field} ${message}`} className="[overflow-wrap:anywhere]">
            {node_id && (
              <Button look="quiet" className="!min-h-0 !p-0 underline" onClick={() => onShow(node_id)}>
                {node_id}
              </Button>
            )}{' '}
            {message}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** Notes of the import and of the validation about a node. */
function notesOf(id: string, findings: readonly ImportFinding[], issues: readonly Issue[]): readonly string[] {
  const imported = findings.filter(({ node_id }) => node_id === id).map(({ message }) => message);
  const wrong = issues.filter(({ node_id }) => node_id === id).map(({ message }) => message);
  return [...new Set([...imported, ...wrong])];
}
