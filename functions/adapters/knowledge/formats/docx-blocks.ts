import type { Block } from '../../../knowledge/domain/passages.ts';
import { readXml } from '../../codecs/xml-events.ts';
import type { FormatText } from './format-text.ts';
import { entryOf, zipEntries } from './zip-entries.ts';

const BODY = 'word/document.xml';
const STYLES = 'word/styles.xml';
const NOTES = ['word/footnotes.xml', 'word/endnotes.xml'];

/**
 * Paragraphs, table rows and headings of a .docx. Page headers and footers are separate parts, and are not read; hidden text is left out.
 * @throws DocumentUnreadable
 */
export function docxBlocks(bytes: Uint8Array): FormatText {
  const entries = zipEntries(bytes, (name) => [BODY, STYLES, ...NOTES].includes(name));
  const body = entryOf(entries, BODY);
  const styles = stylesOf(entries[STYLES] ?? '');
  const parts = [body, ...NOTES.map((name) => entries[name] ?? '')].map((xml) => blocksOf(xml, styles));
  return { blocks: parts.flatMap(({ blocks }) => blocks), hasHidden: parts.some(({ hasHidden }) => hasHidden) };
}

/** The role of paragraphs with a style: a heading of a level, or a line of a table of contents. */
type Role = number | 'contents' | null;

const MAX_LEVEL = 6;
const MAX_PARENTS = 20;

interface Styles {
  readonly roles: ReadonlyMap<string, Role>;
  /** Ids of the styles whose text is hidden. */
  readonly hidden: ReadonlySet<string>;
}

function stylesOf(xml: string): Styles {
  const roles = new Map<string, Role>();
  const parents = new Map<string, string>();
  const vanish = new Map<string, boolean>();
  let id = '';
  readXml(xml, {
    open(name, { styleId = '', val = '' }) {
      if (name === 'style') id = styleId;
      if (id === '') return;
      // Names of the styles that Word brings are in English in every language.
      if (name === 'name') roles.set(id, roleOf(val));
      if (name === 'outlineLvl' && roles.get(id) == null) roles.set(id, levelOf(val));
      if (name === 'basedOn') parents.set(id, val);
      if (name === 'vanish') vanish.set(id, isOn(val));
    },
    close(name) {
      if (name === 'style') id = '';
    },
  });
  const isHidden = (style: string) => {
    let at: string | undefined = style;
    for (let i = 0; i < MAX_PARENTS && at !== undefined && !vanish.has(at); i++) at = parents.get(at);
    return at !== undefined && vanish.get(at) === true;
  };
  return { roles, hidden: new Set([...parents.keys(), ...vanish.keys()].filter(isHidden)) };
}

/** Whether a property that can be switched off is on: it is when it says nothing. */
function isOn(value: string): boolean {
  return !['0', 'false', 'off', 'none'].includes(value);
}

function roleOf(styleName: string): Role {
  const heading = /^heading (\d)$/i.exec(styleName)?.[1];
  if (heading !== undefined) return levelOf(String(Number(heading) - 1));
  if (/^title$/i.test(styleName)) return 1;
  return /^(?:toc \d|toc heading|table of figures)$/i.test(styleName) ? 'contents' : null;
}

/** Outline levels count from 0; 9 is body text. */
function levelOf(outline: string): number | null {
  const level = Number(outline) + 1;
  return Number.isInteger(level) && level >= 1 && level <= MAX_LEVEL ? level : null;
}

function blocksOf(xml: string, { roles, hidden }: Styles): FormatText {
  const blocks: Block[] = [];
  let hasHidden = false;
  let [isRun, isRunHidden, isParagraphHidden] = [false, false, false];
  let [text, row] = ['', ''];
  let role: Role = null;
  let [isText, cells, unread] = [false, 0, 0];
  const add = (words: string, as: Role) => {
    const trimmed = words.replace(/[^\S\n]+/g, ' ').trim();
    if (trimmed === '' || as === 'contents') return;
    blocks.push(as === null ? { kind: 'text', text: trimmed } : { kind: 'heading', level: as, text: trimmed });
  };
  readXml(xml, {
    open(name, { val = '' }) {
      switch (name) {
        case 'Fallback':
        case 'moveFrom':
          // The same text once more, for older programs, or where it was before it was moved.
          unread += 1;
          break;
        case 'tr':
          cells += 1;
          break;
        case 'p':
          role = null;
          isParagraphHidden = false;
          break;
        case 'pStyle':
          role = roles.get(val) ?? null;
          isParagraphHidden = hidden.has(val);
          break;
        case 'r':
          isRun = true;
          isRunHidden = isParagraphHidden;
          break;
        case 'rStyle':
          isRunHidden ||= isRun && hidden.has(val);
          break;
        case 'vanish':
          // That of a paragraph's mark hides the mark alone.
          if (isRun) isRunHidden = isOn(val);
          break;
        case 'outlineLvl':
          if (role === null) role = levelOf(val);
          break;
        case 't':
          isText = true;
          break;
        case 'tab':
          text += ' ';
          break;
        case 'br':
        case 'cr':
          text += '\n';
          break;
      }
    },
    text(words) {
      if (!isText || unread > 0) return;
      if (!isRunHidden) text += words;
      else if (words.trim() !== '') hasHidden = true;
    },
    close(name) {
      switch (name) {
        case 'Fallback':
        case 'moveFrom':
          unread -= 1;
          break;
        case 'r':
          [isRun, isRunHidden] = [false, false];
          break;
        case 't':
          isText = false;
          break;
        case 'p':
          if (cells === 0) add(text, role);
          else row += `${text} `;
          text = '';
          break;
        case 'tr':
          cells -= 1;
          if (cells > 0) break;
          add(row, null);
          row = '';
          break;
      }
    },
  });
  return { blocks, hasHidden };
}
