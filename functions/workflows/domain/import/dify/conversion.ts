import type { Phrase } from '../../../../shared/phrases.ts';
import type { GraphNode } from '../../graph/graph.ts';
import type { NoteKind } from '../import-note.ts';
import type { DifyNode } from './dify-file.ts';
import type { Names } from './names.ts';

/** The counterpart of a node. */
export type Converted = Pick<GraphNode, 'type' | 'config'> & Partial<Pick<GraphNode, 'inputs'>>;

/** The means of converting one node. */
export interface Conversion {
  readonly names: Names;
  readonly note: (kind: NoteKind, what: Phrase) => void;
  /** Keeps a secret that the file holds in the open. @returns a reference to it */
  readonly secret: (value: string) => string;
}

export type Converter = (node: DifyNode, conversion: Conversion) => Converted;
