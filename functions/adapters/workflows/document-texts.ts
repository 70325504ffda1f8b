import { type DocumentType, DocumentUnreadable, documentTypeOf } from '../../knowledge/domain/knowledge-base.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import { TooBusy } from '../../shared/too-busy.ts';
import type { Documents } from '../../workflows/domain/effects/effect-ports.ts';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';
import { readText } from '../knowledge/segment-thread.ts';

/** Read as they are: a program or a model takes them so. */
const PLAIN = /^(text\/(csv|plain|xml)|application\/(json|xml|x-yaml|yaml|javascript|x-ndjson))$/;
const EXTENSIONS: Readonly<Record<string, DocumentType>> = {
  ...{ pdf: 'pdf', html: 'html', htm: 'html', md: 'markdown', markdown: 'markdown', docx: 'docx', xlsx: 'xlsx' },
  ...{ hwp: 'hwp', hwpx: 'hwpx', odt: 'odt', rtf: 'rtf', doc: 'doc' },
  ...{ pptx: 'pptx', epub: 'epub', eml: 'eml', txt: 'text', csv: 'text', json: 'text', xml: 'text', yaml: 'text' },
  ...{ yml: 'text', log: 'text', srt: 'text', vtt: 'text' },
};

/** The documents that knowledge bases read. */
export class DocumentTexts implements Documents {
  async read(
    bytes: Uint8Array,
    { mimeType, name }: { readonly mimeType: string; readonly name: string },
    caller: JobCaller,
  ) {
    const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    const byMedia = PLAIN.test(mimeType) ? 'text' : documentTypeOf(mimeType);
    // Many servers send files without a type, or as plain text.
    const type =
      byMedia === null || byMedia === 'text' ? (EXTENSIONS[extension] ?? byMedia ?? textType(mimeType)) : byMedia;
    if (!type || type === 'image')
      throw new NodeFailed(
        'unsupported_document',
        `${name} is of type ${mimeType}. PDF, Word, Excel, PowerPoint, Hangul (.hwp, .hwpx), OpenDocument text, RTF, EPUB, e-mail, HTML, Markdown and plain text can be read.`,
      );
    try {
      return await readText(bytes, type, caller);
    } catch (error) {
      if (error instanceof TooBusy)
        throw new NodeFailed('too_busy', 'Too many documents of your workspace wait to be read.', { isPassing: true });
      if (!(error instanceof DocumentUnreadable)) throw error;
      throw new NodeFailed('unreadable_document', `${name}: ${error.message}`, { cause: error });
    }
  }
}

function textType(mimeType: string): DocumentType | null {
  return mimeType.startsWith('text/') ? 'text' : null;
}
