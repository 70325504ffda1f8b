import type { Confinement } from './confinement.ts';
import type { Language } from './installed-languages.ts';
import { WaitingProgram } from './waiting-program.ts';

/** A language that nobody uses for so long need not hold memory. */
const LONGEST_WAIT_MS = 5 * 60_000;

interface Waiting {
  readonly program: Promise<WaitingProgram | null>;
  readonly idle: NodeJS.Timeout;
}

/** For each language that has been in use of late, one interpreter that waits for a program. */
export class WaitingPrograms {
  readonly #confinement: Confinement;
  readonly #byLanguage = new Map<Language['name'], Waiting>();
  #isOver = false;

  constructor(confinement: Confinement) {
    this.#confinement = confinement;
  }

  /** Has one started when what is under way is done; it does not matter if it cannot be. */
  expect(language: Language): void {
    setImmediate(() => {
      if (this.#isOver || language.ahead === undefined || this.#byLanguage.has(language.name)) return;
      this.#byLanguage.set(language.name, {
        program: WaitingProgram.start(language, this.#confinement).catch(() => null),
        idle: setTimeout(() => void this.#drop(language.name), LONGEST_WAIT_MS).unref(),
      });
    });
  }

  /** One that belongs to the caller from now on. */
  async take({ name }: Language): Promise<WaitingProgram | null> {
    const program = await this.#remove(name);
    if (program === null || program.isThere()) return program;
    await program.discard();
    return null;
  }

  async release(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#byLanguage.keys()].map((name) => this.#drop(name)));
  }

  async #drop(name: Language['name']): Promise<void> {
    await (await this.#remove(name))?.discard();
  }

  async #remove(name: Language['name']): Promise<WaitingProgram | null> {
    const waiting = this.#byLanguage.get(name);
    if (waiting === undefined) return null;
    this.#byLanguage.delete(name);
    clearTimeout(waiting.idle);
    return waiting.program;
  }
}
