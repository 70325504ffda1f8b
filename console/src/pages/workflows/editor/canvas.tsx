import {
  Background,
  Controls,
  type Edge,
  type EdgeChange,
  MarkerType,
  MiniMap,
  type Node,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo, useRef, useState } from 'react';
import { DEFAULT_HANDLE } from '../../../../../functions/workflows/domain/graph/graph.ts';
import { useTheme } from '../../../app/theme.ts';
import { useT } from '../../../texts/i18n.ts';
import { type Graph, handleOf, type Issue } from '../graph.ts';
import type { ImportFinding } from '../import-findings.ts';
import { type Clip, clipOf, connected, keyOf, withClip, withoutEdges, withoutNodes } from './edit-graph.ts';
import { bodies, handlesOf } from './known-nodes.ts';
import { type Shown, type State, Step } from './step.tsx';
import { textOf, useTexts } from './texts.ts';

/** Marks what the editor copies, among other texts of the clipboard. */
const CLIP = 'tripod-nodes';

/** The graph, drawn and changed by hand; nodes that a run has come to are coloured by what became of them. */
export function Canvas({
  graph,
  issues,
  findings,
  states,
  selected,
  canEdit,
  onChange,
  onSelect,
  onReady,
}: {
  graph: Graph;
  issues: readonly Issue[];
  findings: readonly ImportFinding[];
  states: ReadonlyMap<string, State>;
  selected: ReadonlySet<string>;
  canEdit: boolean;
  onChange: (graph: Graph) => void;
  onSelect: (ids: ReadonlySet<string>) => void;
  onReady: (flow: ReactFlowInstance<Node<Shown>, Edge>) => void;
}) {
  const t = useT();
  const theme = useTheme();
  const texts = useTexts();
  const section = useRef<HTMLElement>(null);
  const [selectedEdges, setSelectedEdges] = useState<ReadonlySet<string>>(new Set());
  const [sizes, setSizes] = useState<ReadonlyMap<string, Size>>(new Map());
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>(new Map());

  const drawn = useMemo((): Node<Shown>[] => {
    const titles = new Map(graph.nodes.map(({ id, data }) => [id, data?.title || id]));
    return graph.nodes.map((node) => {
      const { id, type, data, parent_id } = node;
      const used = graph.edges.filter(({ source }) => source === id).map(handleOf);
      return {
        id,
        type: 'step',
        position: node.position ?? { x: 0, y: 0 },
        ariaLabel: `${textOf(texts.types, type)} ${data?.title ?? id}`,
        data: {
          title: data?.title ?? id,
          type,
          handles: [...new Set([...handlesOf(node), ...used])],
          body: parent_id ? (titles.get(parent_id) ?? parent_id) : null,
          isWrong:
            issues.some(({ node_id, severity }) => node_id === id && severity === 'error') ||
            findings.some(({ node_id }) => node_id === id),
          state: states.get(id),
        },
      };
    });
  }, [graph, issues, findings, states, texts]);
  const nodes = drawn.map(
    (node): Node<Shown> => ({
      ...node,
      position: dragged.get(node.id) ?? node.position,
      selected: selected.has(node.id),
      ...(sizes.has(node.id) && { measured: sizes.get(node.id)! }),
    }),
  );
  const edges = useMemo((): Edge[] => {
    const own = graph.edges.map(
      (edge): Edge => ({
        id: keyOf(edge),
        source: edge.source,
        target: edge.target,
        sourceHandle: handleOf(edge),
        label: handleOf(edge) === DEFAULT_HANDLE ? undefined : textOf(texts.handles, handleOf(edge)),
        selected: selectedEdges.has(keyOf(edge)),
        markerEnd: { type: MarkerType.ArrowClosed },
      }),
    );
    const intoBodies = bodies(graph).map(
      ({ owner, entry }): Edge => ({
        id: `body ${owner} ${entry}`,
        source: owner,
        target: entry,
        sourceHandle: handlesOf(graph.nodes.find(({ id }) => id === owner)!)[0],
        selectable: false,
        deletable: false,
        focusable: false,
        style: { strokeDasharray: '4 4' },
      }),
    );
    return [...own, ...intoBodies];
  }, [graph, selectedEdges, texts]);

  const changeNodes = (changes: readonly NodeChange<Node<Shown>>[]) => {
    const [measured, moved, chosen] = [new Map(sizes), new Map(dragged), new Set(selected)];
    let isDropped = false;
    for (const change of changes) {
      if (change.type === 'dimensions' && change.dimensions) measured.set(change.id, change.dimensions);
      if (change.type === 'position' && change.position) moved.set(change.id, change.position);
      if (change.type === 'position' && change.dragging === false) isDropped = true;
      if (change.type === 'select') chosen[change.selected ? 'add' : 'delete'](change.id);
    }
    if (changes.some(({ type }) => type === 'dimensions')) setSizes(measured);
    if (changes.some(({ type }) => type === 'select')) onSelect(chosen);
    if (!changes.some(({ type }) => type === 'position')) return;
    setDragged(isDropped ? new Map() : moved);
    if (isDropped && canEdit) onChange(withMoved(graph, moved));
  };
  const changeEdges = (changes: readonly EdgeChange[]) => {
    const chosen = new Set(selectedEdges);
    for (const change of changes) if (change.type === 'select') chosen[change.selected ? 'add' : 'delete'](change.id);
    setSelectedEdges(chosen);
  };
  const paste = (clip: Clip) => {
    const { graph: pasted, ids } = withClip(graph, clip);
    onChange(pasted);
    onSelect(ids);
  };

  return (
    <section
      ref={section}
      // So that its keys work after a click on the empty canvas, and after the node with the focus is gone.
      tabIndex={-1}
      aria-label={t('workflows.graph')}
      className="h-full min-h-0 rounded-lg outline-none border border-line bg-canvas"
      onCopy={(event) => {
        const clip = clipOf(graph, selected);
        if (clip.nodes.length === 0) return;
        event.clipboardData.setData('text/plain', JSON.stringify({ [CLIP]: clip }));
        event.preventDefault();
      }}
      onPaste={(event) => {
        const clip = canEdit ? readClip(event.clipboardData.getData('text/plain')) : null;
        if (clip === null) return;
        event.preventDefault();
        paste(clip);
      }}
    >
      <ReactFlow
        colorMode={theme}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.2 }}
        minZoom={0.1}
        onInit={onReady}
        nodesDraggable={canEdit}
        nodesConnectable={canEdit}
        selectNodesOnDrag={false}
        multiSelectionKeyCode={['Shift', 'Control', 'Meta']}
        selectionKeyCode="Shift"
        deleteKeyCode={canEdit ? ['Backspace', 'Delete'] : null}
        onNodesChange={changeNodes}
        onEdgesChange={changeEdges}
        onConnect={(connection) => onChange(connected(graph, connection))}
        isValidConnection={({ source, target }) => source !== target}
        onDelete={({ nodes: goneNodes, edges: goneEdges }) => {
          const ids = new Set(goneNodes.map(({ id }) => id));
          onChange(withoutNodes(withoutEdges(graph, new Set(goneEdges.map(({ id }) => id))), ids));
          onSelect(new Set());
          section.current?.focus();
        }}
        ariaLabelConfig={{ 'handle.ariaLabel': texts.ui.exits }}
      >
        <Background />
        <MiniMap pannable zoomable className="max-sm:hidden" ariaLabel={null} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

type Size = { readonly width: number; readonly height: number };
type Point = { readonly x: number; readonly y: number };

const NODE_TYPES = { step: Step };

function withMoved(graph: Graph, positions: ReadonlyMap<string, Point>): Graph {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      const position = positions.get(node.id);
      return position ? { ...node, position: { x: Math.round(position.x), y: Math.round(position.y) } } : node;
    }),
  };
}

function readClip(text: string): Clip | null {
  if (!text.includes(CLIP)) return null;
  try {
    const { nodes, edges } = (JSON.parse(text) as { [CLIP]: Clip })[CLIP];
    return Array.isArray(nodes) && Array.isArray(edges) ? { nodes, edges } : null;
  } catch {
    return null;
  }
}
