import { type Tool, ToolFailed } from '../../../chat/domain/tools/tool.ts';
import { type DocumentType, DocumentUnreadable, documentTypeOf } from '../../../knowledge/domain/knowledge-base.ts';
import type { JobCaller } from '../../../shared/ports/job-caller.ts';
import { TooBusy } from '../../../shared/too-busy.ts';
import type { SafeFetch } from '../../web/safe-fetch.ts';
import { bodyBeginning } from './bounded-body.ts';
import { failureOfFetch } from './tool-failures.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** The readable text of a page on the public internet: without its markup, menus and scripts. */
export function webFetchTool(name: string, web: SafeFetch): Tool {
  return {
    name,
    description:
      'Reads a page on the public internet by its address, and returns its text. It does not search, log in, or run the scripts of the page.',
    parameters: {
      type: 'object',
      properties: { url: { type: 'string', description: 'Address of the page, with https://' } },
      required: ['url'],
    },
    async run({ url }, { workspaceId, signal }) {
      if (typeof url !== 'string' || url.trim() === '')
        throw new ToolFailed('invalid_arguments', 'url must be the address of a page, with https://.');
      const { bytes, isCut, mediaType } = await fetched(url.trim(), web, signal).catch((error: unknown) => {
        throw failureOfFetch(error);
      });
      const text = await textOf(bytes, mediaType, { tenant: workspaceId, signal });
      if (text === '') return { text: 'The page has no text. Its scripts may write it, which are not run.' };
      return { text, isCut };
    },
  };
}

async function fetched(url: string, web: SafeFetch, signal: AbortSignal) {
  const headers = { accept: 'text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.1' };
  const response = await web.fetch(url, { headers, timeoutMs: TIMEOUT_MS, signal });
  const { status } = response;
  const mediaType = String(response.headers['content-type'] ?? 'text/plain');
  const body = await bodyBeginning(response, MAX_BYTES);
  if (status >= 300) throw new ToolFailed('refused', `The server of the page answered with status ${status}.`);
  return { ...body, mediaType };
}

async function textOf(bytes: Uint8Array, mediaType: string, caller: JobCaller): Promise<string> {
  const type = typeOf(mediaType);
  const { readText } = await import('../../knowledge/segment-thread.ts');
  try {
    return (await readText(bytes, type, caller)).text.trim();
  } catch (error) {
    if (error instanceof TooBusy) throw new ToolFailed('unavailable', error.message, { cause: error });
    if (!(error instanceof DocumentUnreadable)) throw error;
    throw new ToolFailed('failed', error.message, { cause: error });
  }
}

/** @throws ToolFailed for pictures, documents and downloads */
function typeOf(mediaType: string): DocumentType {
  const type = documentTypeOf(mediaType);
  if (type === 'html' || type === 'markdown') return type;
  if (type === 'text' || /^(text\/|application\/([\w.+-]*\+)?(json|xml|yaml))/i.test(mediaType)) return 'text';
  throw new ToolFailed('refused', `The address leads to ${mediaType.slice(0, 100)}. Only pages and texts are read.`);
}
