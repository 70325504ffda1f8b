import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Graph } from '../graph/graph.ts';
import { waitsForPeople } from '../graph/people.ts';
import type { RunHead, RunId } from './run.ts';

/** The link to one approval or form of one run. Any holder may answer it, once. */
export interface FormLink extends RunId {
  readonly key: string;
  readonly proof: string;
}

const FORM_LINK = /^(ws_\w{1,60}|\w[\w-]{0,80})\.(run_[0-9A-Z]{26})\.([\w-]{1,700})\.([\w-]{43})$/;
export const FORM_PATH = '/api/v1/forms/';

/** @param key of the node that waits. @returns null where the run has no forms. */
export function formLink({ workspaceId, runId, formKey }: RunHead, key: string): string | null {
  if (formKey === undefined) return null;
  return [workspaceId, runId, Buffer.from(key).toString('base64url'), proofOf(formKey, key)].join('.');
}

/** @returns null for a text that is not a link to a form. */
export function parsedFormLink(text: string): FormLink | null {
  const [, workspaceId, runId, key, proof] = FORM_LINK.exec(text) ?? [];
  if (!workspaceId || !runId || !key || !proof) return null;
  return { workspaceId, runId, key: Buffer.from(key, 'base64url').toString(), proof };
}

export function isProven({ formKey }: RunHead, { key, proof }: FormLink): boolean {
  if (formKey === undefined) return false;
  const [expected, given] = [Buffer.from(proofOf(formKey, key)), Buffer.from(proof)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The address of an approval or a form; empty if the run has none. @param baseUrl what a client writes before a path of this service */
export function formUrl(head: RunHead, key: string, baseUrl: string): string {
  const link = formLink(head, key);
  return link === null ? '' : `${baseUrl}${FORM_PATH}${link}`;
}

/** Addresses of the approvals and forms that are in no body, by the ids of their nodes: {{sys.forms.…}}. */
export function formUrls(head: RunHead, { nodes }: Graph, baseUrl: string): Readonly<Record<string, string>> {
  const waits = nodes.filter((node) => waitsForPeople(node) && node.parentId === null);
  return Object.fromEntries(waits.map(({ id }) => [id, formUrl(head, id, baseUrl)]));
}

export function hasForms({ nodes }: Graph): boolean {
  return nodes.some(waitsForPeople);
}

function proofOf(formKey: string, key: string): string {
  return createHmac('sha256', formKey).update(key).digest('base64url');
}
