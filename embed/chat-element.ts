import { AskFailed, ask } from './ask.ts';
import { STYLE } from './style.ts';
import type { Texts } from './texts.ts';

export interface Options {
  readonly url: string;
  readonly language: string;
  readonly texts: Texts;
  readonly title: string | null;
  readonly greeting: string | null;
  readonly color: string | null;
  /** Name of the conversation in the storage of the tab. */
  readonly storageKey: string;
}

interface Line {
  readonly role: 'user' | 'assistant';
  text: string;
}

interface Conversation {
  session: string | null;
  lines: Line[];
}

/** The chat of a page, in a shadow tree: page and chat do not share styles. */
export class ChatElement extends HTMLElement {
  #options: Options | null = null;
  #conversation: Conversation = { session: null, lines: [] };
  #running: AbortController | null = null;
  #parts: ReturnType<typeof build> | null = null;

  begin(options: Options): void {
    this.#options = options;
    this.#conversation = stored(options.storageKey);
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    if (options.color && CSS.supports('color', options.color)) this.style.setProperty('--accent', options.color);
    this.lang = options.language;
    const parts = build(options);
    this.#parts = parts;
    root.append(parts.launcher, parts.panel);
    parts.launcher.addEventListener('click', () => this.#toggle(Boolean(parts.panel.hidden)));
    parts.close.addEventListener('click', () => this.#toggle(false));
    parts.restart.addEventListener('click', () => this.#restart());
    parts.panel.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#toggle(false);
    });
    parts.form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#running) this.#running.abort();
      else void this.#send();
    });
    parts.input.addEventListener('keydown', (event) => {
      // Enter ends a syllable of an input method first.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      if (!this.#running) void this.#send();
    });
    this.#showAll();
  }

  #toggle(isOpen: boolean): void {
    const { panel, launcher, input } = this.#parts!;
    const { texts } = this.#options!;
    panel.hidden = !isOpen;
    launcher.setAttribute('aria-expanded', String(isOpen));
    launcher.setAttribute('aria-label', isOpen ? texts.close : texts.open);
    (isOpen ? input : launcher).focus();
  }

  #restart(): void {
    this.#running?.abort();
    this.#conversation = { session: null, lines: [] };
    this.#store();
    this.#showAll();
    this.#parts!.input.focus();
  }

  #showAll(): void {
    const { log } = this.#parts!;
    const { greeting, texts } = this.#options!;
    log.replaceChildren();
    this.#show('assistant', greeting ?? texts.greeting);
    for (const { role, text } of this.#conversation.lines) this.#show(role, text);
  }

  #show(kind: string, text: string): HTMLElement {
    const { log } = this.#parts!;
    const message = element('div', { class: `message ${kind}` }, text);
    log.append(message);
    log.scrollTop = log.scrollHeight;
    return message;
  }

  async #send(): Promise<void> {
    const { input, submit, log } = this.#parts!;
    const { texts, url } = this.#options!;
    const text = input.value.trim();
    if (text === '') return;
    input.value = '';
    const conversation = this.#conversation;
    const running = new AbortController();
    this.#running = running;
    submit.textContent = texts.stop;
    const answer: Line = { role: 'assistant', text: '' };
    conversation.lines.push({ role: 'user', text });
    this.#show('user', text);
    const shown = this.#show('assistant thinking', texts.thinking);
    try {
      await ask({
        ...{ url, text, session: conversation.session, signal: running.signal },
        onSession: (session) => {
          conversation.session = session;
        },
        onText: (piece) => {
          answer.text += piece;
          shown.className = 'message assistant';
          // As text, never as markup: what a model says is not the page's own.
          shown.textContent = answer.text;
          log.scrollTop = log.scrollHeight;
        },
      });
    } catch (error) {
      if (running.signal.aborted) answer.text = `${answer.text} ${texts.stopped}`.trim();
      else if (conversation === this.#conversation) {
        const problem = this.#show('problem', error instanceof AskFailed ? texts[error.failure] : texts.failed);
        problem.setAttribute('role', 'alert');
      }
      shown.textContent = answer.text;
    }
    if (answer.text === '') shown.remove();
    else conversation.lines.push(answer);
    if (this.#running === running) {
      this.#running = null;
      submit.textContent = texts.send;
    }
    if (conversation === this.#conversation) this.#store();
  }

  #store(): void {
    try {
      sessionStorage.setItem(this.#options!.storageKey, JSON.stringify(this.#conversation));
    } catch {
      // A page without a storage has a conversation until it is left.
    }
  }
}

/** Of this tab alone: the next person at the machine sees nothing of it. */
function stored(key: string): Conversation {
  try {
    const { session, lines } = JSON.parse(sessionStorage.getItem(key) ?? '') as Conversation;
    return { session: typeof session === 'string' ? session : null, lines: [...lines] };
  } catch {
    return { session: null, lines: [] };
  }
}

function build({ texts, title }: Options) {
  const launcher = element('button', { class: 'launcher', type: 'button', 'aria-expanded': 'false' });
  launcher.setAttribute('aria-label', texts.open);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z');
  svg.append(path);
  launcher.append(svg);
  const heading = title ?? texts.title;
  const restart = element('button', { type: 'button', title: texts.restart, 'aria-label': texts.restart }, '↻');
  const close = element('button', { type: 'button', title: texts.close, 'aria-label': texts.close }, '✕');
  const header = element('header', {});
  header.append(element('h2', {}, heading), restart, close);
  const log = element('div', {
    class: 'log',
    role: 'log',
    'aria-live': 'polite',
    tabindex: '0',
    'aria-label': heading,
  });
  const input = element('textarea', {
    ...{ rows: '1', maxlength: '8000', placeholder: texts.placeholder, 'aria-label': texts.placeholder },
  });
  const submit = element('button', { type: 'submit' }, texts.send);
  const form = element('form', {});
  form.append(input, submit);
  const panel = element('section', { class: 'panel', role: 'dialog', 'aria-label': heading });
  panel.hidden = true;
  panel.append(header, log, form);
  return { launcher, panel, restart, close, log, input, submit, form };
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.textContent = text;
  return made;
}
