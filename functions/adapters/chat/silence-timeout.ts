import { ModelFailed } from '../../chat/domain/chat-model.ts';

/** Aborts a call to a provider that is silent for too long. */
export class SilenceTimeout {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(seconds: number) {
    const failure = new ModelFailed('timeout', `The model provider was silent for ${seconds} seconds.`);
    this.#timer = setTimeout(() => this.#controller.abort(failure), seconds * 1000);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called with each sign of life. */
  refresh(): void {
    this.#timer.refresh();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
