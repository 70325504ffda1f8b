import type { Phrase } from '../../../../shared/phrases.ts';
import { type Graph, type GraphNode, isObject, type Json } from '../../graph/graph.ts';
import { errorsAmong } from '../../graph/graph-issue.ts';
import { graphIssues } from '../../graph/validate-graph.ts';
import type { GraphDraft } from '../../seal-environment.ts';
import { withStoredSecrets } from '../../seal-environment.ts';
import { noted } from '../note-texts.ts';

const MAX_ROUNDS = 5;

/**
 * A graph in which references that lead nowhere are empty, as their values are in the runs of the file: of nodes that come
 * later, of outputs that a node does not have, of bodies seen from outside.
 */
export function withoutDeadReferences(
  given: GraphDraft,
  onDead: (nodeId: string, what: Phrase, reference: string) => void,
): GraphDraft {
  let graph = given;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const plain: Graph = withStoredSecrets(graph, { ...(graph as Graph), environment: [] });
    const dead = errorsAmong(graphIssues(plain)).filter(
      ({ reference, nodeId }) => reference !== undefined && nodeId !== null,
    );
    if (dead.length === 0) return graph;
    for (const { nodeId, message, korean, reference } of dead)
      onDead(nodeId!, noted('repaired_reference', { fault: { en: message, ko: korean } }), reference!);
    graph = {
      ...graph,
      nodes: graph.nodes.map((node): GraphNode => {
        const gone = dead
          .filter(({ nodeId }) => nodeId === node.id)
          .map(({ reference, source }) => [reference!, withoutSource(reference!, source)] as const);
        if (gone.length === 0) return node;
        return {
          ...node,
          config: without(node.config, gone, node) as GraphNode['config'],
          inputs: without(node.inputs, gone, node) as GraphNode['inputs'],
        };
      }),
    };
  }
  return graph;
}

/** A reference without one of its sources; empty where it has no other. */
function withoutSource(reference: string, source: string | undefined): string {
  const others = reference
    .slice(2, -2)
    .split('|')
    .map((each) => each.trim())
    .filter((each) => each !== source);
  return source === undefined || others.length === 0 ? '' : `{{${others.join(' | ')}}}`;
}

function without(value: Json, gone: readonly (readonly [string, string])[], node: GraphNode): Json {
  if (typeof value === 'string') {
    const left = gone.reduce((text, [reference, left]) => text.replaceAll(reference, left), value);
    // A list is expected where a body takes its items from.
    return left === '' && value !== '' && value === node.config.items ? [] : left;
  }
  if (Array.isArray(value)) return value.map((each: Json) => without(each, gone, node));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, without(each, gone, node)]));
  return value;
}
