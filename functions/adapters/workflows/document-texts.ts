import { DocumentUnreadable } from '../../chat/domain/knowledge/knowledge-base.ts';
import type { Documents } from '../../workflows/domain/effects/effect-ports.ts';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';
import { readText } from '../knowledge/segment-thread.ts';

const TYPES: readonly (readonly [RegExp, 'pdf' | 'html' | 'markdown' | 'text'])[] = [
  [/^application\/pdf$/, 'pdf'],
  [/^(text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^text\/(markdown|x-markdown)$/, 'markdown'],
  [/^(text\/|application\/(json|xml|x-yaml|yaml|javascript|x-ndjson))/, 'text'],
];
const EXTENSIONS: Readonly<Record<string, 'pdf' | 'html' | 'markdown' | 'text'>> = {
  ...{ pdf: 'pdf', html: 'html', htm: 'html', md: 'markdown', markdown: 'markdown', txt: 'text', csv: 'text' },
  ...{ json: 'text', xml: 'text', yaml: 'text', yml: 'text', log: 'text', srt: 'text', vtt: 'text' },
};

/** The documents that knowledge bases read. */
export class DocumentTexts implements Documents {
  async read(bytes: Uint8Array, { mimeType, name }: { readonly mimeType: string; readonly name: string }) {
    const type =
      TYPES.find(([pattern]) => pattern.test(mimeType))?.[1] ??
      EXTENSIONS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
    if (!type)
      throw new NodeFailed(
        'unsupported_document',
        `${name} is of type ${mimeType}. PDF, HTML, Markdown and plain text can be read.`,
      );
    try {
      return await readText(bytes, type);
    } catch (error) {
      if (!(error instanceof DocumentUnreadable)) throw error;
      throw new NodeFailed('unreadable_document', `${name}: ${error.message}`, { cause: error });
    }
  }
}
