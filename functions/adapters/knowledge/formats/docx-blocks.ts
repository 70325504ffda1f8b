import type { Block } from '../../../knowledge/domain/passages.ts';
import { readXml } from '../../codecs/xml-events.ts';
import { entryOf, zipEntries } from './zip-entries.ts';

const BODY = 'word/document.xml';
const STYLES = 'word/styles.xml';
const NOTES = ['word/footnotes.xml', 'word/endnotes.xml'];

/** Paragraphs, table rows and headings of a .docx. Page headers and footers are separate parts, and are not read. */
export function docxBlocks(bytes: Uint8Array): Block[] {
  const entries = zipEntries(bytes, (name) => [BODY, STYLES, ...NOTES].includes(name));
  const body = entryOf(entries, BODY);
  const styles = stylesOf(entries[STYLES] ?? '');
  return [body, ...NOTES.map((name) => entries[name] ?? '')].flatMap((xml) => blocksOf(xml, styles));
}

/** The role of paragraphs with a style: a heading of a level, or a line of a table of contents. */
type Role = number | 'contents' | null;

const MAX_LEVEL = 6;

function stylesOf(xml: string): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  let id = '';
  readXml(xml, {
    open(name, { styleId = '', val = '' }) {
      if (name === 'style') id = styleId;
      // Names of the styles that Word brings are in English in every language.
      if (name === 'name' && id !== '') roles.set(id, roleOf(val));
      if (name === 'outlineLvl' && id !== '' && roles.get(id) == null) roles.set(id, levelOf(val));
    },
    close(name) {
      if (name === 'style') id = '';
    },
  });
  return roles;
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

function blocksOf(xml: string, styles: ReadonlyMap<string, Role>): Block[] {
  const blocks: Block[] = [];
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
          // The same text once more, for older programs.
          unread += 1;
          break;
        case 'tr':
          cells += 1;
          break;
        case 'p':
          role = null;
          break;
        case 'pStyle':
          role = styles.get(val) ?? null;
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
      if (isText && unread === 0) text += words;
    },
    close(name) {
      switch (name) {
        case 'Fallback':
          unread -= 1;
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
  return blocks;
}
