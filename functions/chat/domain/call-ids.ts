import type { ChatMessage } from './messages.ts';

/** Gives every call of a conversation a unique id: some providers give none, or repeat them in each answer. */
export class CallIds {
  readonly #taken: Set<string>;
  readonly #reserved: ReadonlySet<string>;
  #made = 0;

  /** @param reserved ids that are not made up, although a call may bring one. */
  constructor({
    taken = [],
    reserved = [],
  }: { readonly taken?: Iterable<string>; readonly reserved?: Iterable<string> }) {
    this.#taken = new Set(taken);
    this.#reserved = new Set(reserved);
  }

  take(sent: string | undefined): string {
    const id = sent && !this.#taken.has(sent) ? sent : this.#make();
    this.#taken.add(id);
    return id;
  }

  /** Nine letters and digits, which is the only form that Mistral's models accept. */
  #make(): string {
    for (;;) {
      const id = `call${String(++this.#made).padStart(5, '0')}`;
      if (!this.#taken.has(id) && !this.#reserved.has(id)) return id;
    }
  }
}

/** The ids of all calls in a conversation. */
export function callIdsOf(messages: readonly ChatMessage[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  );
}
