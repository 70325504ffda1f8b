import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import {
  addedDocument,
  documentUpload,
  knowledgeBase,
  knowledgeDocument,
  searchResults,
} from '../../functions/knowledge/bases/schemas.ts';
import { call } from './api.ts';
import { dataOf, type Service } from './chat.ts';

type Caller = Pick<Service, 'baseUrl' | 'apiKey'>;
export type ShownDocument = z.output<typeof knowledgeDocument>;

export const BASES_PATH = '/api/v1/knowledge-bases';
export const basePath = (id: string) => `${BASES_PATH}/${id}`;
export const documentsPath = (id: string) => `${basePath(id)}/documents`;
export const documentPath = (id: string, document: string) => `${documentsPath(id)}/${document}`;

let basesMade = 0;

/** A new knowledge base with a unique name. */
export async function createBase(service: Caller, body: object = {}) {
  basesMade += 1;
  const answer = await call(service, 'POST', BASES_PATH, { body: { name: `Base ${basesMade}`, ...body } });
  return dataOf(answer, knowledgeBase.strict());
}

export const addCall = (service: Caller, base: string, body: object) =>
  call(service, 'POST', documentsPath(base), { body: { title: 'Document', ...body } });

export const addText = async (service: Caller, base: string, text: string, more: object = {}) =>
  dataOf(await addCall(service, base, { text, ...more }), addedDocument.strict());

/** A document once it is ready or failed. */
export async function indexed(service: Caller, base: string, id: string): Promise<ShownDocument> {
  for (let i = 0; i < 1200; i++) {
    const document = dataOf(await call(service, 'GET', documentPath(base, id)), knowledgeDocument.strict());
    if (document.finished_at !== null) return document;
    await sleep(50);
  }
  throw new Error(`The document ${id} is not indexed.`);
}

/** Adds a text and waits for its index. */
export async function indexText(service: Caller, base: string, text: string, more: object = {}) {
  return indexed(service, base, (await addText(service, base, text, more)).id);
}

/** Uploads a file as a client does. @returns its upload_id */
export async function uploadFile(service: Caller, base: string, bytes: Uint8Array, type: string): Promise<string> {
  const body = { content_type: type, content_length: bytes.byteLength };
  const upload = dataOf(await call(service, 'POST', `${basePath(base)}/uploads`, { body }), documentUpload.strict());
  const put = await fetch(upload.upload_url, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: Buffer.from(bytes),
  });
  if (put.status !== 200) throw new Error(`${put.status} ${await put.text()}`);
  return upload.upload_id;
}

/** Uploads a file, adds it and waits for its index. */
export async function indexFile(service: Caller, base: string, bytes: Uint8Array, type: string) {
  const upload_id = await uploadFile(service, base, bytes, type);
  const added = dataOf(await addCall(service, base, { upload_id }), addedDocument.strict());
  return indexed(service, base, added.id);
}

export const searchCall = (service: Caller, base: string, body: object) =>
  call(service, 'POST', `${basePath(base)}/search`, { body });

export const search = async (service: Caller, base: string, query: string, more: object = {}) =>
  dataOf(await searchCall(service, base, { query, ...more }), searchResults.strict()).results;
