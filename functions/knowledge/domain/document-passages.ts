import { type IndexViewPorts, indexView } from './index-view.ts';
import { type DocumentId, versionOf } from './knowledge-base.ts';
import { findDocument, type ManageBasePorts, type ManageDocumentPorts, type Page } from './manage-knowledge.ts';
import type { Passage } from './passages.ts';

export type PassagePorts = IndexViewPorts & Pick<ManageBasePorts, 'bases'> & Pick<ManageDocumentPorts, 'documents'>;

export interface NumberedPassage extends Passage {
  /** Its place in the document, counted from 1. */
  readonly number: number;
}

/**
 * The passages of a document that searches find, in the order of the document. None before it is ready; while another content is being
 * indexed, those of the one before.
 * @param after number of the last passage of the page before; 0: from the first on.
 * @throws KnowledgeRefused if the base or the document does not exist.
 */
export async function passagePage(
  id: DocumentId,
  { limit, after }: { readonly limit: number; readonly after: number },
  ports: PassagePorts,
): Promise<Page<NumberedPassage>> {
  await findDocument(id, ports);
  const entries = await ports.indexes.read(id);
  const view = entries && (await indexView(id, entries, ports));
  for (const segment of view?.segments ?? [])
    for (const { documentId, firstPassage, passages } of segment.spans()) {
      if (versionOf(documentId).documentId !== id.documentId || view!.removed.has(documentId)) continue;
      const last = Math.min(after + limit, passages);
      const items = Array.from({ length: Math.max(0, last - after) }, (_, at) => ({
        ...segment.passage(firstPassage + after + at),
        number: after + at + 1,
      }));
      return { items, nextCursor: last < passages ? String(last) : null };
    }
  return { items: [], nextCursor: null };
}
