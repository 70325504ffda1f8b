import { type Content, contentOf, type NewDocument } from './document-content.ts';
import type { BaseId, DocumentId, KnowledgeDocument } from './knowledge-base.ts';
import { KnowledgeRefused } from './knowledge-refused.ts';
import {
  addDocument,
  findDocument,
  type ManageBasePorts,
  type ManageDocumentPorts,
  sendOrReport,
  storedTitle,
  waiting,
} from './manage-knowledge.ts';

type Ports = ManageDocumentPorts & Pick<ManageBasePorts, 'bases'>;

/** A document changes at most a few times: when it is acquired, released and indexed. */
const MAX_ATTEMPTS = 5;

/**
 * Gives a document another content. Answers are given from the one before until the new one is indexed, and from that alone
 * then. A content that it has already is not indexed again.
 * @throws KnowledgeRefused
 */
export async function replaceDocument(id: DocumentId, by: NewDocument, ports: Ports): Promise<KnowledgeDocument> {
  return replaceTitled(id, { ...by, title: await storedTitle(id, by.title, ports) }, ports);
}

/** @param by has the title that is stored */
async function replaceTitled(id: DocumentId, by: NewDocument, ports: Ports): Promise<KnowledgeDocument> {
  let seen = await findDocument(id, ports);
  const { title } = by;
  const content = await contentOf(id, by, ports);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (isSame(seen, title, content)) return seen;
    const next = { ...seen, title, ...content, version: seen.version + 1, ...waiting(ports.clock.now()) };
    if (await ports.documents.replace(seen, next)) {
      const { workspaceId, baseId, documentId } = id;
      await sendOrReport([{ workspaceId, baseId, documentId }], ports);
      // A crash leaves it until it expires.
      if (seen.uploadKey !== next.uploadKey) await ports.uploads.remove(seen.uploadKey);
      return next;
    }
    seen = await findDocument(id, ports);
  }
  throw new KnowledgeRefused('changed', 'The document is being indexed at this moment. Try again.');
}

function isSame(seen: KnowledgeDocument, title: string, { type, contentHash }: Content): boolean {
  const isKnown = contentHash !== null && contentHash === seen.contentHash;
  return isKnown && seen.type === type && seen.title === title && seen.status !== 'failed';
}

export interface Added {
  readonly document: KnowledgeDocument;
  readonly isNew: boolean;
  /** Another document of the same title. */
  readonly sameTitle: KnowledgeDocument | null;
}

/** Adds a document, or replaces the one that has its external id. @throws KnowledgeRefused */
export async function addOrReplace(
  base: BaseId,
  added: NewDocument & { readonly externalId: string | null },
  ports: Ports,
): Promise<Added> {
  const { externalId } = added;
  const [title, known] = await Promise.all([
    storedTitle(base, added.title, ports),
    externalId === null ? null : ports.documents.findByExternalId(base, externalId),
  ]);
  const titled = { ...added, title };
  const sameTitle = await ports.documents.findByTitle(base, title);
  if (known === null) return { document: await addDocument(base, titled, ports), isNew: true, sameTitle };
  const document = await replaceTitled(known, titled, ports);
  return { document, isNew: false, sameTitle: sameTitle?.documentId === known.documentId ? null : sameTitle };
}
