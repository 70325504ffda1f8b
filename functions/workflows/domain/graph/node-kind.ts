import type { Fields } from './fields.ts';
import type { GraphNode, NodeType, ValueType } from './graph.ts';

/** The configuration, outputs and handles of a type of node. */
export interface NodeKind {
  /** Its purpose, in one to three sentences for authors. */
  readonly about: string;
  readonly config: Fields;
  /** Outputs by name; `open` where others may come. */
  readonly outputs: (node: GraphNode) => Readonly<Record<string, ValueType>>;
  /** True when references may name outputs that are not known before the node has run. */
  readonly isOpen?: true;
  /** Handles other than "error". */
  readonly handles: (node: GraphNode) => readonly string[];
  /** A handle that is taken only if an edge leaves it; otherwise the node fails. */
  readonly optionalHandle?: string;
  /**
   * 'control': decided by the engine itself. 'effect': performed outside it, and may fail. 'body': runs the nodes whose parent it is.
   * 'wait': continues after a person's decision.
   */
  readonly nature: 'control' | 'effect' | 'body' | 'wait';
}

export type NodeKinds<T extends NodeType> = Readonly<Record<T, NodeKind>>;
