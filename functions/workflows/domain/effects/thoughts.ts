const OPENING = /<think(?:\s[^<>]{0,100})?>/i;
const UNFINISHED = /<(?:t(?:h(?:i(?:n(?:k(?:\s[^<>]{0,100})?)?)?)?)?)?$/i;
const CLOSING = /<\/think>/i;
const CLOSING_LENGTH = '</think>'.length;

/** The text of an answer, and the thoughts that a model has written into it between <think> and </think>. */
export interface Separated {
  readonly text: string;
  readonly thought: string;
}

/** Separates a whole answer. Thoughts without an end reach to the end, those without a start start with the answer. */
export function separated(answer: string): Separated {
  const closing = answer.search(CLOSING);
  const opening = answer.search(OPENING);
  const isHeadless = closing >= 0 && (opening < 0 || closing < opening);
  const reader = new ThoughtReader();
  const parts = [reader.read(isHeadless ? `<think>${answer}` : answer), reader.end()];
  return {
    text: parts
      .map(({ text }) => text)
      .join('')
      .trim(),
    thought: parts.map(({ thought }) => thought).join(''),
  };
}

/** Separates an answer as it comes. White space at the start, and behind thoughts, is left out. */
export class ThoughtReader {
  #held = '';
  #isThought = false;
  /** White space is left out until there is text. */
  #isBlank = true;

  read(more: string): Separated {
    this.#held += more;
    let [text, thought] = ['', ''];
    for (;;) {
      if (this.#isThought) {
        const at = this.#held.search(CLOSING);
        const kept = at < 0 ? Math.max(0, this.#held.length - CLOSING_LENGTH + 1) : at;
        thought += this.#held.slice(0, kept);
        this.#held = this.#held.slice(at < 0 ? kept : at + CLOSING_LENGTH);
        if (at < 0) return { text, thought };
        thought += '\n';
        [this.#isThought, this.#isBlank] = [false, true];
      } else {
        const found = OPENING.exec(this.#held);
        const to = found?.index ?? UNFINISHED.exec(this.#held.slice(-110))?.index;
        const end = found || to === undefined ? (to ?? this.#held.length) : Math.max(0, this.#held.length - 110) + to;
        text += this.#shown(this.#held.slice(0, end));
        this.#held = this.#held.slice(found ? end + found[0].length : end);
        if (!found) return { text, thought };
        this.#isThought = true;
      }
    }
  }

  end(): Separated {
    const held = this.#held;
    this.#held = '';
    return this.#isThought ? { text: '', thought: held } : { text: this.#shown(held), thought: '' };
  }

  #shown(text: string): string {
    const shown = this.#isBlank ? text.trimStart() : text;
    if (shown !== '') this.#isBlank = false;
    return shown;
  }
}
