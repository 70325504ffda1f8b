import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';

/** Deeper values are skipped. */
const MAX_DEPTH = 50;

/** A block for each member of the outermost list or object, as lines that name the way to each value. @throws DocumentUnreadable */
export function* jsonBlocks(text: string): Generator<Block> {
  const value = parsed(text);
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value] as const];
  for (const [name, member] of members) {
    const lines = [...leaves(member, Array.isArray(value) ? '' : name, 1)];
    if (lines.length > 0) yield { kind: 'text', text: lines.join('\n') };
  }
}

function* leaves(value: unknown, path: string, depth: number): Generator<string> {
  if (value === null || value === '' || depth > MAX_DEPTH) return;
  if (typeof value !== 'object') {
    yield path === '' ? String(value) : `${path}: ${String(value)}`;
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    // Places in a list say nothing.
    const step = Array.isArray(value) ? '' : name;
    yield* leaves(member, [path, step].filter((part) => part !== '').join('.'), depth + 1);
  }
}

/** JSON, or a value on each line. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    try {
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new DocumentUnreadable('unreadable', `The file is not JSON: ${(error as Error).message.slice(0, 200)}`, {
        cause: error,
      });
    }
  }
}
