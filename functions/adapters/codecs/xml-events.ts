import { Parser } from 'htmlparser2';

export interface XmlHandler {
  /** Names carry no prefix of a namespace. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Office files nest a few dozen tags; the parser's time grows with the square of the depth. */
const MAX_DEPTH = 1_000;

/**
 * Reads XML as a stream of tags. Entities that a document defines are not expanded, external ones not fetched, and nothing
 * is built that grows with the depth of its tags.
 * @throws Error for tags nested deeper than any office file's
 */
export function readXml(xml: string, { open, text, close }: XmlHandler): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new Error(`More than ${MAX_DEPTH} tags are nested.`);
        if (open === undefined) return;
        // `r:id` names a relationship where `id` is a number of the element's own.
        const prefixedLast = Object.keys(attributes).sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
        const local = prefixedLast.map((attribute) => [localName(attribute), attributes[attribute]!]);
        open(localName(name), Object.fromEntries(local));
      },
      ontext: (words) => text?.(words),
      onclosetag(name) {
        depth--;
        close?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Targets of the relationships of a part, by their ids. */
export function relationsOf(xml: string | undefined): ReadonlyMap<string, { type: string; target: string }> {
  const found = new Map<string, { type: string; target: string }>();
  readXml(xml ?? '', {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      // Content outside of the file is never read.
      if (name === 'Relationship' && TargetMode !== 'External')
        found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target: Target });
    },
  });
  return found;
}

/** Resolves a target within the archive, relative to the folder of the part that names it. */
export function resolved(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter((part) => part !== '');
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
