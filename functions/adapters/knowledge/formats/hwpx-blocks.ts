import { readXml } from '../../codecs/xml-events.ts';
import { BlockWriter, type FormatText, MAX_LEVEL, protectedBy } from './format-text.ts';
import { entryOf, zipEntries } from './zip-entries.ts';

const HEADER = 'Contents/header.xml';
const MANIFEST = 'META-INF/manifest.xml';
const SECTION = /^Contents\/section(\d{1,4})\.xml$/;

/** Parts that are not text of the page. Hidden comments, and memos in fields, are for the authors alone. */
const UNREAD = new Set(['header', 'footer', 'hiddenComment', 'fieldBegin', 'shapeComment', 'parameters']);
const TEXTS = new Set(['t', 'mainText']);
const SPACES = new Set(['tab', 'nbSpace', 'fwSpace']);

/**
 * Paragraphs, rows of tables, notes and headings of a .hwpx, an archive of XML. Heads of pages and hidden comments are left out, scripts are
 * not read. @throws DocumentUnreadable
 */
export function hwpxBlocks(bytes: Uint8Array): FormatText {
  const entries = zipEntries(bytes, (name) => name === HEADER || name === MANIFEST || SECTION.test(name));
  if (isEncrypted(entries[MANIFEST] ?? '')) throw protectedBy('a password');
  const levels = outlineLevels(entryOf(entries, HEADER));
  const writer = new BlockWriter();
  const sections = Object.keys(entries).filter((name) => SECTION.test(name));
  const number = (name: string) => Number(SECTION.exec(name)![1]);
  for (const name of sections.toSorted((a, b) => number(a) - number(b))) readSection(entries[name]!, levels, writer);
  return writer;
}

/** Whether the manifest of a package, as OpenDocument defines it, names an encryption. */
export function isEncrypted(manifest: string): boolean {
  let isFound = false;
  readXml(manifest, {
    open(name) {
      if (name === 'encryption-data') isFound = true;
    },
  });
  return isFound;
}

/** Levels of headings by the ids of the forms of paragraphs. */
function outlineLevels(header: string): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  let form = '';
  readXml(header, {
    open(name, { id = '', type = '', level = '' }) {
      if (name === 'paraPr') form = id;
      if (name === 'heading' && type === 'OUTLINE' && Number(level) < MAX_LEVEL) levels.set(form, Number(level) + 1);
    },
  });
  return levels;
}

function readSection(xml: string, levels: ReadonlyMap<string, number>, writer: BlockWriter): void {
  const tables: boolean[] = [];
  let [unread, isText, isDeleted] = [0, false, false];
  readXml(xml, {
    open(name, { paraPrIDRef = '', rowCnt, colCnt }) {
      if (name === 'hiddenComment') writer.hasHidden = true;
      if (UNREAD.has(name)) unread += 1;
      if (unread > 0) return;
      if (name === 'p') writer.openParagraph(levels.get(paraPrIDRef) ?? null);
      else if (name === 'footNote' || name === 'endNote') writer.openNote();
      else if (name === 'tbl') {
        // A table of one cell is a frame.
        const isTable = rowCnt !== '1' || colCnt !== '1';
        tables.push(isTable);
        if (isTable) writer.openTable();
      } else if (name === 'deleteBegin') isDeleted = true;
      else if (name === 'deleteEnd') isDeleted = false;
      else if (TEXTS.has(name)) isText = true;
      else if (name === 'lineBreak') writer.write('\n');
      else if (name === 'hyphen') writer.write('-');
      else if (SPACES.has(name)) writer.write(' ');
    },
    text(words) {
      if (isText && unread === 0 && !isDeleted) writer.write(words.replaceAll('\n', ' '));
    },
    close(name) {
      if (UNREAD.has(name)) {
        unread -= 1;
        return;
      }
      if (unread > 0) return;
      if (TEXTS.has(name)) isText = false;
      else if (name === 'p') writer.closeParagraph();
      else if (name === 'footNote' || name === 'endNote') writer.closeNote();
      else if (name === 'tr' && tables.at(-1) === true) writer.endRow();
      else if (name === 'tbl' && tables.pop() === true) writer.closeTable();
    },
  });
}
