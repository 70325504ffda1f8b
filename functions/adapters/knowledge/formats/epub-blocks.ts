import type { Block } from '../../../knowledge/domain/passages.ts';
import { readXml, resolved } from '../../codecs/xml-events.ts';
import { htmlBlocks } from './html-blocks.ts';
import { entryOf, zipEntries } from './zip-entries.ts';

const CONTAINER = 'META-INF/container.xml';

/** The chapters of a book in their order, without its table of contents. */
export function* epubBlocks(bytes: Uint8Array): Generator<Block> {
  const entries = zipEntries(bytes, (name) => name === CONTAINER || /\.(?:opf|x?html?|xml)$/i.test(name));
  const packagePath = packageOf(entryOf(entries, CONTAINER));
  const folder = packagePath.slice(0, Math.max(0, packagePath.lastIndexOf('/')));
  for (const href of chaptersOf(entryOf(entries, packagePath))) {
    const chapter = entries[resolved(folder, decoded(href))];
    if (chapter !== undefined) yield* htmlBlocks(chapter);
  }
}

function packageOf(xml: string): string {
  let path = '';
  readXml(xml, {
    open(name, attributes) {
      if (name === 'rootfile' && path === '') path = attributes['full-path'] ?? '';
    },
  });
  return path;
}

/** Addresses of the chapters, as the spine orders the items of the manifest; each once, however often a hostile spine names it. */
function chaptersOf(xml: string): string[] {
  const items = new Map<string, string>();
  const spine: string[] = [];
  readXml(xml, {
    open(name, { id = '', href = '', properties = '', idref = '' }) {
      if (name === 'item' && !properties.split(' ').includes('nav')) items.set(id, href);
      if (name === 'itemref') spine.push(idref);
    },
  });
  return [...new Set(spine.flatMap((id) => items.get(id) ?? []))];
}

function decoded(href: string): string {
  const path = href.split('#')[0]!;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
