import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Graph } from '../graph/graph.ts';
import type { RunHead, RunId } from './run.ts';

/** The link to one form of one run. Any holder may answer the form. */
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

/** @returns null for a text that is no link to a form. */
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

/** Paths of the forms that are in no body, by the ids of their nodes: {{sys.forms.…}}. */
export function formPaths(head: RunHead, graph: Graph): Readonly<Record<string, string>> {
  const forms = graph.nodes.filter(({ type, parentId }) => type === 'human_input' && parentId === null);
  return Object.fromEntries(forms.map(({ id }) => [id, FORM_PATH + formLink(head, id)]));
}

export function hasForms({ nodes }: Graph): boolean {
  return nodes.some(({ type }) => type === 'human_input');
}

function proofOf(formKey: string, key: string): string {
  return createHmac('sha256', formKey).update(key).digest('base64url');
}
