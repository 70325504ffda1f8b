import { readXml } from '../../codecs/xml-events.ts';
import { BlockWriter, type FormatText, MAX_LEVEL, protectedBy } from './format-text.ts';
import { isEncrypted } from './hwpx-blocks.ts';
import { entryOf, zipEntries } from './zip-entries.ts';

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';
const MANIFEST = 'META-INF/manifest.xml';
const BODY = 'text';

/** Parts that are not text of the document, or that repeat it. */
const UNREAD = new Set([
  ...['tracked-changes', 'annotation', 'forms', 'note-citation', 'ruby-text', 'sequence-decls', 'title', 'desc'],
  ...['table-of-content', 'illustration-index', 'table-index', 'object-index', 'alphabetical-index'],
]);
/** Rows that are hidden, or filtered out. */
const HIDDEN_ROWS = new Set(['collapse', 'filter']);
const PARENTS = 20;

/**
 * Paragraphs, rows of tables, notes and headings of an .odt. Hidden text, comments and deleted text are left out.
 * @throws DocumentUnreadable
 */
export function odtBlocks(bytes: Uint8Array): FormatText {
  const entries = zipEntries(bytes, (name) => [CONTENT, STYLES, MANIFEST].includes(name));
  if (isEncrypted(entries[MANIFEST] ?? '')) throw protectedBy('a password');
  const content = entryOf(entries, CONTENT);
  const writer = new BlockWriter();
  readContent(content, hiddenStyles([entries[STYLES] ?? '', content]), writer);
  return writer;
}

/** Names of the styles whose text is hidden, by themselves or by the ones that they are made from. */
function hiddenStyles(parts: readonly string[]): ReadonlySet<string> {
  const styles = new Map<string, { readonly parent: string; display: string }>();
  let name = '';
  for (const xml of parts)
    readXml(xml, {
      open(tag, { name: id = '', 'parent-style-name': parent = '', display = '' }) {
        if (tag === 'style') {
          name = id;
          styles.set(name, { parent, display: '' });
        } else if (tag === 'text-properties' && styles.has(name)) styles.get(name)!.display = display;
      },
      close(tag) {
        if (tag === 'style') name = '';
      },
    });
  const isHidden = (id: string) => {
    let style = styles.get(id);
    for (let i = 0; i < PARENTS && style !== undefined && style.display === ''; i++) style = styles.get(style.parent);
    return style?.display === 'none';
  };
  return new Set([...styles.keys()].filter(isHidden));
}

type Attributes = Readonly<Record<string, string>>;

function readContent(xml: string, hidden: ReadonlySet<string>, writer: BlockWriter): void {
  const isHidden = (name: string, attributes: Attributes) => {
    switch (name) {
      case 'p':
      case 'h':
      case 'span':
      case 'a':
        return hidden.has(attributes['style-name'] ?? '');
      case 'hidden-text':
        return true;
      case 'section':
        return attributes.display === 'none' || attributes['is-hidden'] === 'true';
      case 'table-row':
        return HIDDEN_ROWS.has(attributes.visibility ?? '');
      default:
        return false;
    }
  };
  /** Number of open tags from the first one that is skipped: its content is skipped as well. */
  let unread = 0;
  let isBody = false;
  let paragraphs = 0;
  readXml(xml, {
    open(name, attributes) {
      const isUnread = UNREAD.has(name) || isHidden(name, attributes);
      if (isUnread && !UNREAD.has(name)) writer.hasHidden = true;
      if (unread > 0 || isUnread) {
        unread += 1;
        return;
      }
      switch (name) {
        case BODY:
          isBody = true;
          break;
        case 'p':
        case 'h': {
          const level = Number(attributes['outline-level'] ?? Number.NaN);
          writer.openParagraph(name === 'h' && level >= 1 && level <= MAX_LEVEL ? level : null);
          paragraphs += 1;
          break;
        }
        case 'note':
          writer.openNote();
          break;
        case 'table':
          writer.openTable();
          break;
        case 's':
        case 'tab':
          writer.write(' ');
          break;
        case 'line-break':
          writer.write('\n');
          break;
      }
    },
    text(words) {
      if (unread === 0 && isBody && paragraphs > 0) writer.write(words.replaceAll('\n', ' '));
    },
    close(name) {
      if (unread > 0) {
        unread -= 1;
        return;
      }
      switch (name) {
        case 'p':
        case 'h':
          writer.closeParagraph();
          paragraphs -= 1;
          break;
        case 'note':
          writer.closeNote();
          break;
        case 'table-row':
          writer.endRow();
          break;
        case 'table':
          writer.closeTable();
          break;
      }
    },
  });
}
