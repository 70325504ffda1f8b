import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';

/** The text of a file, and whether it has more that its readers do not see. */
export interface FormatText {
  readonly blocks: readonly Block[];
  readonly hasHidden: boolean;
}

/** Longer texts are not headings, regardless of their style. */
const MAX_HEADING_LENGTH = 200;
export const MAX_LEVEL = 6;

interface Paragraph {
  text: string;
  /** Of a heading, from 1; null for a text. */
  level: number | null;
}

/**
 * Collects paragraphs, notes and rows of tables in their order. A row is one text; a table in a cell is a part of the cell. Paragraphs can be
 * opened in others, as those of frames and notes are.
 */
export class BlockWriter implements FormatText {
  readonly blocks: Block[] = [];
  hasHidden = false;
  /** Texts of the open rows, a row for each table that is open. */
  readonly #rows: string[] = [];
  readonly #open: Paragraph[] = [];
  readonly #notes: string[] = [];
  #notesOpen = 0;

  openParagraph(level: number | null = null): void {
    this.#open.push({ text: '', level });
  }

  setLevel(level: number | null): void {
    const paragraph = this.#open.at(-1);
    if (paragraph !== undefined) paragraph.level = level;
  }

  write(text: string): void {
    const paragraph = this.#open.at(-1);
    if (paragraph !== undefined) paragraph.text += text;
  }

  closeParagraph(): void {
    this.#flush();
    this.#open.pop();
    if (this.#open.length === 0) for (const note of this.#notes.splice(0)) this.add(note);
  }

  /** Notes follow their paragraph. */
  openNote(): void {
    this.#notesOpen += 1;
  }

  closeNote(): void {
    this.#notesOpen = Math.max(0, this.#notesOpen - 1);
  }

  openTable(): void {
    this.#flush();
    this.#rows.push('');
  }

  /** Opens a table whose first cell is the paragraph that is open. */
  moveIntoTable(): void {
    this.#rows.push('');
  }

  closeTable(): void {
    this.endRow();
    this.#rows.pop();
  }

  endRow(): void {
    const row = this.#rows.pop();
    if (row === undefined) return;
    this.add(row);
    this.#rows.push('');
  }

  add(text: string, level: number | null = null): void {
    const words = text.replace(/[^\S\n]+/g, ' ').trim();
    if (words === '') return;
    if (this.#rows.length > 0) {
      this.#rows[this.#rows.length - 1] += `${words.replaceAll('\n', ' ')} `;
      return;
    }
    const isHeading = level !== null && words.length <= MAX_HEADING_LENGTH;
    this.blocks.push(isHeading ? { kind: 'heading', level, text: words } : { kind: 'text', text: words });
  }

  #flush(): void {
    const paragraph = this.#open.at(-1);
    if (paragraph === undefined) return;
    if (this.#notesOpen > 0) this.#notes.push(paragraph.text);
    else this.add(paragraph.text, paragraph.level);
    paragraph.text = '';
  }
}

/** @throws DocumentUnreadable as it is, and any other error as that of a damaged file */
export function damaged(error: unknown): never {
  if (error instanceof DocumentUnreadable) throw error;
  throw new DocumentUnreadable('unreadable', 'The file is damaged. Save it once more.', { cause: error });
}

export function protectedBy(protection: string): DocumentUnreadable {
  return new DocumentUnreadable('unreadable', `The file is protected by ${protection}. Save it unprotected.`);
}
