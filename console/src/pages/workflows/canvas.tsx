import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo } from 'react';
import { useT } from '../../texts/i18n.ts';
import type { Graph, Issue } from './graph.ts';
import type { ImportFinding } from './import-findings.ts';

type State = 'succeeded' | 'failed' | 'running' | 'skipped' | 'waiting';

interface Shown extends Record<string, unknown> {
  readonly title: string;
  readonly type: string;
  readonly handles: readonly string[];
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

/** The graph, drawn; nodes that a run has come to are coloured by what became of them. */
export function Canvas({
  graph,
  issues,
  findings,
  states,
  canEdit,
  onChange,
  onSelect,
}: {
  graph: Graph;
  issues: readonly Issue[];
  findings: readonly ImportFinding[];
  states: ReadonlyMap<string, State>;
  canEdit: boolean;
  onChange: (graph: Graph) => void;
  onSelect: (id: string | null) => void;
}) {
  const t = useT();
  const nodes = useMemo(
    (): Node<Shown>[] =>
      graph.nodes.map(({ id, type, position, data }) => ({
        id,
        type: 'step',
        position: position ?? { x: 0, y: 0 },
        ariaLabel: `${type} ${data?.title ?? id}`,
        data: {
          title: data?.title ?? id,
          type,
          handles: [
            ...new Set(
              graph.edges.filter(({ source }) => source === id).map(({ sourceHandle }) => sourceHandle ?? 'out'),
            ),
          ],
          isWrong:
            issues.some(({ node_id, severity }) => node_id === id && severity === 'error') ||
            findings.some(({ node_id }) => node_id === id),
          state: states.get(id),
        },
      })),
    [graph, issues, findings, states],
  );
  const edges = useMemo(
    (): Edge[] =>
      graph.edges.map(({ id, source, target, sourceHandle }) => ({
        id: id ?? `${source} ${sourceHandle ?? ''} ${target}`,
        source,
        target,
        sourceHandle: sourceHandle ?? 'out',
        label: sourceHandle && sourceHandle !== 'out' ? sourceHandle : undefined,
        markerEnd: { type: MarkerType.ArrowClosed },
      })),
    [graph.edges],
  );
  return (
    <section aria-label={t('workflows.graph')} className="h-[26rem] rounded-lg border border-line bg-panel">
      <ReactFlow
        colorMode="system"
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_KINDS}
        fitView
        nodesDraggable={canEdit}
        nodesConnectable={canEdit}
        deleteKeyCode={canEdit ? ['Backspace', 'Delete'] : null}
        proOptions={{ hideAttribution: false }}
        onNodeClick={(_, { id }) => onSelect(id)}
        onPaneClick={() => onSelect(null)}
        onNodeDragStop={(_, { id, position }) =>
          onChange({ ...graph, nodes: graph.nodes.map((node) => (node.id === id ? { ...node, position } : node)) })
        }
        onConnect={({ source, target, sourceHandle }) =>
          onChange({
            ...graph,
            edges: [
              ...graph.edges,
              { source, target, ...(sourceHandle && sourceHandle !== 'out' && { sourceHandle }) },
            ],
          })
        }
        onEdgesDelete={(gone) =>
          onChange({
            ...graph,
            edges: graph.edges.filter(
              ({ source, target }) => !gone.some((edge) => edge.source === source && edge.target === target),
            ),
          })
        }
        onNodesDelete={(gone) => {
          const ids = new Set(gone.map(({ id }) => id));
          onChange({
            ...graph,
            nodes: graph.nodes.filter(({ id }) => !ids.has(id)),
            edges: graph.edges.filter(({ source, target }) => !ids.has(source) && !ids.has(target)),
          });
          onSelect(null);
        }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

function Step({ data, selected }: NodeProps<Node<Shown>>) {
  const { title, type, handles, isWrong, state } = data;
  const outs = handles.length > 0 ? handles : ['out'];
  return (
    <div
      className={`w-44 rounded-lg border-2 p-2 text-sm text-ink ${state ? COLOURS[state] : isWrong ? 'border-bad bg-panel' : selected ? 'border-accent bg-panel' : 'border-line bg-panel'}`}
    >
      {type !== 'start' && <Handle type="target" position={Position.Left} />}
      <p className="truncate font-semibold">{title}</p>
      <p className="text-xs text-muted">
        {type} {isWrong && '⚠'}
      </p>
      {type !== 'answer' &&
        outs.map((name, index) => (
          <Handle
            key={name}
            id={name}
            type="source"
            position={Position.Right}
            style={{ top: `${((index + 1) * 100) / (outs.length + 1)}%` }}
          />
        ))}
    </div>
  );
}

const NODE_KINDS = { step: Step };
