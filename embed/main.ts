/**
 * The chatbot of a web page: `<script src="https://…/embed.js" data-token="tpa_…" async></script>`. Optional: data-lang (ko, en),
 * data-title, data-greeting, data-color.
 */
import { ChatElement } from './chat-element.ts';
import { textsFor } from './texts.ts';

const NAME = 'tripod-chat';

function start(script: HTMLScriptElement): void {
  const { token, lang, title = null, greeting = null, color = null } = script.dataset;
  if (!token) {
    console.error('embed.js: the script needs the attribute data-token with a public access token.');
    return;
  }
  if (!customElements.get(NAME)) customElements.define(NAME, ChatElement);
  const { language, texts } = textsFor([lang ?? '', document.documentElement.lang, ...navigator.languages]);
  const url = new URL(`api/v1/chat/${encodeURIComponent(token)}/chat/completions`, script.src).href;
  const chat = document.createElement(NAME) as ChatElement;
  chat.begin({ url, language, texts, title, greeting, color, storageKey: `${NAME} ${url}` });
  document.body.append(chat);
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement)
  if (document.body) start(script);
  else document.addEventListener('DOMContentLoaded', () => start(script), { once: true });
