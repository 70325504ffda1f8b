/**
 * Members of a model's answer that only its provider understands, and wants back with the conversation. The rule goes by the last word of a
 * name, so that the members of the next provider need no code:
 * - `extra_content` of messages and calls: thought signatures of Gemini (ai.google.dev/gemini-api/docs/openai)
 * - `reasoning_details`: OpenRouter (openrouter.ai/docs/use-cases/reasoning-tokens)
 * - `thinking_blocks`, `provider_specific_fields`: LiteLLM (docs.litellm.ai/docs/reasoning_content)
 * - `thought_signature`, `signature`, `encrypted_content` and the like: gateways in front of Gemini, Claude and OpenAI
 */
export type OpaqueMembers = Readonly<Record<string, unknown>>;

const NAME =
  /(^|_)(extra_content|reasoning_details|thinking_blocks|provider_specific_fields|signatures?|encrypted_content)$/;
/** Of a member as JSON; a larger one is left out. */
export const MAX_OPAQUE_LENGTH = 256 * 1024;

/** @returns null where an object has none. */
export function opaqueMembersOf(object: Readonly<Record<string, unknown>>): OpaqueMembers | null {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    if (value === null || value === undefined || !NAME.test(name)) continue;
    if (JSON.stringify(value).length <= MAX_OPAQUE_LENGTH) members[name] = value;
  }
  return Object.keys(members).length > 0 ? members : null;
}

/** Puts together the members that arrive in pieces. */
export class OpaqueSum {
  #members: Record<string, unknown> | null = null;
  readonly #lengths = new Map<string, number>();

  add(pieces: OpaqueMembers): void {
    this.#members ??= {};
    for (const [name, piece] of Object.entries(pieces)) {
      const length = (this.#lengths.get(name) ?? 0) + JSON.stringify(piece).length;
      this.#lengths.set(name, length);
      // A part of a proof proves nothing.
      if (length > MAX_OPAQUE_LENGTH) delete this.#members[name];
      else this.#members[name] = merged(this.#members[name], piece);
    }
  }

  get members(): OpaqueMembers | null {
    return this.#members !== null && Object.keys(this.#members).length > 0 ? this.#members : null;
  }
}

function merged(earlier: unknown, piece: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(piece)) return piece.reduce(withElement, earlier);
  if (Array.isArray(piece)) return piece.reduce(withElement, []);
  if (isObject(earlier) && isObject(piece)) {
    const names = [...new Set([...Object.keys(earlier), ...Object.keys(piece)])];
    return Object.fromEntries(names.map((name) => [name, merged(earlier[name], piece[name])]));
  }
  return piece === null || piece === undefined || piece === '' ? (earlier ?? piece) : piece;
}

/** Elements of one block are sent in pieces: its texts are joined, and its signature ends it. */
function withElement(list: readonly unknown[], piece: unknown): readonly unknown[] {
  const last = list.at(-1);
  if (!isObject(last) || !isObject(piece) || !isContinued(last, piece)) return [...list, piece];
  const sum = merged(last, piece) as Record<string, unknown>;
  for (const name of TEXTS)
    if (typeof last[name] === 'string' && typeof piece[name] === 'string') sum[name] = last[name] + piece[name];
  return [...list.slice(0, -1), sum];
}

const TEXTS = ['text', 'summary', 'thinking'];

const isContinued = (last: OpaqueMembers, piece: OpaqueMembers): boolean =>
  last.type === piece.type && last.index === piece.index && !last.signature && !last.data && !piece.data;

const isObject = (value: unknown): value is OpaqueMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
