import type { Confinement } from './confinement.ts';
import type { Language } from './languages/language.ts';
import { PrestartedInterpreter } from './prestarted-interpreter.ts';

/** Time after which an interpreter that was not used is ended, to free its memory. */
const MAX_IDLE_MS = 5 * 60_000;

interface Entry {
  readonly interpreter: Promise<PrestartedInterpreter | null>;
  readonly idle: NodeJS.Timeout;
}

/** One pre-started interpreter for each language in recent use. */
export class PrestartedInterpreters {
  readonly #confinement: Confinement;
  readonly #byLanguage = new Map<Language['name'], Entry>();
  #isReleased = false;

  constructor(confinement: Confinement) {
    this.#confinement = confinement;
  }

  /** Starts one in the background; a failure only means that the next run starts cold. */
  prewarm(language: Language): void {
    setImmediate(() => {
      if (this.#isReleased || language.prestart === undefined || this.#byLanguage.has(language.name)) return;
      this.#byLanguage.set(language.name, {
        interpreter: PrestartedInterpreter.start(language, this.#confinement).catch(() => null),
        idle: setTimeout(() => void this.#drop(language.name), MAX_IDLE_MS).unref(),
      });
    });
  }

  /** Hands one over to the caller, which then owns it. */
  async acquire({ name }: Language): Promise<PrestartedInterpreter | null> {
    const interpreter = await this.#remove(name);
    if (interpreter === null || interpreter.isWaiting()) return interpreter;
    await interpreter.discard();
    return null;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await Promise.all([...this.#byLanguage.keys()].map((name) => this.#drop(name)));
  }

  async #drop(name: Language['name']): Promise<void> {
    await (await this.#remove(name))?.discard();
  }

  async #remove(name: Language['name']): Promise<PrestartedInterpreter | null> {
    const entry = this.#byLanguage.get(name);
    if (entry === undefined) return null;
    this.#byLanguage.delete(name);
    clearTimeout(entry.idle);
    return entry.interpreter;
  }
}
