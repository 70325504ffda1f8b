import type { Phrase } from '../../../shared/phrases.ts';
import type { JsonObject } from '../graph/graph.ts';
import type { GraphDraft } from '../seal-environment.ts';
import type { TriggerDraft } from '../triggers/manage-triggers.ts';

/**
 * 'connect': the graph is whole, and needs something of the workspace before it runs. 'empty': a reference leads nowhere in the
 * file, and its value is empty, there as here. 'changed': a node does something else than in the file. 'missing': a part of the
 * file is put aside. 'feature': something around the graph has no part in it, such as an opening statement.
 */
export type NoteKind = 'connect' | 'changed' | 'missing' | 'empty' | 'feature';

/** A part of an imported file that its author should look at, and what to do. */
export interface ImportNote {
  readonly kind: NoteKind;
  /** Null: of the file as a whole. */
  readonly nodeId: string | null;
  /** Of the node in the file. */
  readonly type: string;
  readonly title: string;
  /** Of the kind of note. */
  readonly code: string;
  readonly message: string;
  /** The same in Korean. */
  readonly korean: string;
}

export function noteOf(
  { code, en, ko }: Phrase,
  of: Pick<ImportNote, 'kind' | 'nodeId' | 'type' | 'title'>,
): ImportNote {
  return { ...of, code, message: en, korean: ko };
}

/** A trigger of an imported file. */
export interface ImportedTrigger {
  readonly nodeId: string;
  /** Of the node in the file. */
  readonly type: string;
  readonly name: string;
  readonly inputs: JsonObject;
  readonly source: Exclude<TriggerDraft['source'], { readonly kind: 'event' }>;
}

export interface ImportedGraph {
  readonly name: string;
  readonly description: string;
  readonly graph: GraphDraft;
  readonly notes: readonly ImportNote[];
  /** Absent: none. */
  readonly triggers?: readonly ImportedTrigger[];
}
