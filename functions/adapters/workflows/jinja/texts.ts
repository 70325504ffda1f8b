/** A text without the space, or the given characters, at its ends. */
export function trimmed(text: string, chars: string | null, sides: 'both' | 'left' | 'right' = 'both'): string {
  const all = [...text];
  const isTaken = (char: string) => (chars === null ? /\s/u.test(char) : chars.includes(char));
  let [start, end] = [0, all.length];
  if (sides !== 'right') while (start < end && isTaken(all[start]!)) start++;
  if (sides !== 'left') while (end > start && isTaken(all[end - 1]!)) end--;
  return all.slice(start, end).join('');
}

export function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

/** Python's `title`: a letter after anything but a letter is a capital. */
export function titled(text: string): string {
  return text.replaceAll(/\p{L}+/gu, capitalized);
}

/** Jinja2's `title`: words start after space, a hyphen or a bracket. */
export function titledWords(text: string): string {
  return text.replaceAll(/[^-\s({[<]+/gu, capitalized);
}

export function centered(text: string, width: number, fill = ' '): string {
  const missing = width - text.length;
  if (missing <= 0) return text;
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

export function count(text: string, part: string): number {
  return part === '' ? [...text].length + 1 : text.split(part).length - 1;
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (each) => HTML[each]!);
}

export function withoutTags(text: string): string {
  const plain = text.replaceAll(/<!--[\s\S]{0,10000}?-->/g, '').replaceAll(/<[^<>]{0,10000}>/g, '');
  const words = plain
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
  return words.replaceAll(/&(?:amp|lt|gt|quot|#39|#34|nbsp);/g, (entity) => ENTITIES[entity]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#34;': '"',
  '&nbsp;': '\u00a0',
};

export function truncated(text: string, length: number, isInWords: boolean, end: string, leeway: number): string {
  const all = [...text];
  if (all.length <= length + leeway) return text;
  const kept = all.slice(0, Math.max(0, length - [...end].length)).join('');
  if (isInWords) return kept + end;
  const space = kept.lastIndexOf(' ');
  return (space < 0 ? kept : kept.slice(0, space)) + end;
}

/** Lines of at most a width of characters; words longer than it are broken if they may be. */
export function wrapped(
  text: string,
  width: number,
  breaksWords: boolean,
  wrapper: string,
  atHyphens: boolean,
): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, width, breaksWords, atHyphens).join(wrapper))
    .join(wrapper);
}

function wrappedLine(line: string, width: number, breaksWords: boolean, atHyphens: boolean): string[] {
  const lines: string[] = [];
  let current = '';
  for (const chunk of chunksOf(line, atHyphens)) {
    let rest = chunk;
    if (lengthOf(current) + lengthOf(rest) > width) {
      if (breaksWords && lengthOf(rest) > width) {
        const all = [...rest];
        const room = width - lengthOf(current);
        current += all.slice(0, room).join('');
        rest = all.slice(room).join('');
      }
      while (rest !== '' && (current.trim() !== '' || (breaksWords && lengthOf(rest) > width))) {
        if (current.trim() !== '') lines.push(current.trimEnd());
        current = '';
        if (!breaksWords || lengthOf(rest) <= width) break;
        const all = [...rest];
        current = all.slice(0, width).join('');
        rest = all.slice(width).join('');
      }
    }
    if (current === '' && lines.length > 0 && rest.trim() === '') continue;
    current += rest;
  }
  if (current.trimEnd() !== '') lines.push(current.trimEnd());
  return lines;
}

function lengthOf(text: string): number {
  return [...text].length;
}

function chunksOf(line: string, atHyphens: boolean): string[] {
  const chunks = line.split(/(\s+)/).filter((chunk) => chunk !== '');
  return atHyphens ? chunks.flatMap((chunk) => chunk.split(/(?<=\p{L}-)(?=\p{L})/u)) : chunks;
}

/** A text for addresses; `/` stays. */
export function urlEncoded(text: string, isForm: boolean): string {
  const encoded = encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return isForm ? encoded.replaceAll('%20', '+') : encoded.replaceAll('%2F', '/');
}
