import type { Block } from '../../../knowledge/domain/passages.ts';
import { readXml, relationsOf, resolved } from '../../codecs/xml-events.ts';
import type { FormatText } from './format-text.ts';
import { entryOf, zipEntries } from './zip-entries.ts';

const PRESENTATION = 'ppt/presentation.xml';
const TEXT_PARTS = /^ppt\/(?:presentation|slides\/slide\d+|notesSlides\/notesSlide\d+)\.xml$/;
const RELATIONS = /^ppt\/(?:_rels\/presentation|slides\/_rels\/slide\d+)\.xml\.rels$/;

export interface Slides extends FormatText {
  readonly pages: number;
}

/** Titles, paragraphs and notes of a .pptx in the order of its slides, which are its pages. Hidden slides are left out. */
export function readPptx(bytes: Uint8Array): Slides {
  const entries = zipEntries(bytes, (name) => TEXT_PARTS.test(name) || RELATIONS.test(name));
  const order = slideIdsOf(entryOf(entries, PRESENTATION));
  const relations = relationsOf(entries['ppt/_rels/presentation.xml.rels']);
  const slides = order.map((id) => resolved('ppt', relations.get(id)?.target ?? ''));
  let hasHidden = false;
  const blocks = slides.flatMap((path, index) => {
    const page = index + 1;
    if (isHidden(entries[path] ?? '')) {
      hasHidden = true;
      return [];
    }
    const name = path.slice(path.lastIndexOf('/') + 1);
    const notes = [...relationsOf(entries[`ppt/slides/_rels/${name}.rels`]).values()]
      .filter(({ type }) => type === 'notesSlide')
      .map(({ target }) => entries[resolved('ppt/slides', target)] ?? '');
    return [entries[path] ?? '', ...notes].flatMap((xml) => blocksOf(xml, page));
  });
  return { blocks, pages: slides.length, hasHidden };
}

function isHidden(slide: string): boolean {
  let isHidden = false;
  readXml(slide, {
    open(name, { show = '1' }) {
      if (name === 'sld') isHidden = show === '0' || show === 'false';
    },
  });
  return isHidden;
}

function slideIdsOf(xml: string): string[] {
  const ids: string[] = [];
  readXml(xml, {
    open(name, { id = '' }) {
      if (name === 'sldId') ids.push(id);
    },
  });
  return ids;
}

/** Numbers, dates and lines that every slide repeats. */
const REPEATED = ['sldNum', 'dt', 'ftr', 'hdr'];
const TITLES = ['title', 'ctrTitle'];

function blocksOf(xml: string, page: number): Block[] {
  const blocks: Block[] = [];
  let [text, row, placeholder] = ['', '', ''];
  let [isText, cells] = [false, 0];
  const add = (words: string) => {
    const trimmed = words.replace(/[^\S\n]+/g, ' ').trim();
    if (trimmed === '' || REPEATED.includes(placeholder)) return;
    const isTitle = TITLES.includes(placeholder);
    blocks.push(isTitle ? { kind: 'heading', level: 1, text: trimmed, page } : { kind: 'text', text: trimmed, page });
  };
  readXml(xml, {
    open(name, { type = '' }) {
      if (name === 'sp') placeholder = '';
      if (name === 'ph') placeholder = type;
      if (name === 't') isText = true;
      if (name === 'br') text += '\n';
      if (name === 'tr') cells += 1;
    },
    text(words) {
      if (isText) text += words;
    },
    close(name) {
      if (name === 't') isText = false;
      if (name === 'p') {
        if (cells === 0) add(text);
        else row += `${text} `;
        text = '';
      }
      if (name === 'tr') {
        cells -= 1;
        if (cells === 0) {
          add(row);
          row = '';
        }
      }
      if (name === 'sp') placeholder = '';
    },
  });
  return blocks;
}
