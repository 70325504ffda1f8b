/** Parts of a Markdown text: code is left as it is. */
const CODE = /(```[^`]*(?:`{1,2}[^`]+)*```|`[^`\n]+`)/;

/** Applies a change to everything but code. */
function outsideCode(markdown: string, change: (text: string) => string, code = (text: string) => text): string {
  return markdown
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? change(part) : code(part)))
    .join('');
}

const BOLD = /\*\*([^*\n]{1,1000})\*\*/g;
const STRIKE = /~~([^~\n]{1,1000})~~/g;
const HEADING = /^#{1,6} +(\S[^\n]{0,1000})$/gm;
const LINK = /\[([^\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000})\)/g;
const BULLET = /^( {0,12})[*+] /gm;

/** Slack's mrkdwn: its own signs for bold, struck and links, and three characters escaped. */
export function toMrkdwn(markdown: string): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const change = (text: string) =>
    escaped(text)
      .replace(BULLET, '$1• ')
      .replace(BOLD, '*$1*')
      .replace(STRIKE, '~$1~')
      .replace(HEADING, '*$1*')
      .replace(LINK, '<$2|$1>')
      // Quotes begin with the sign as it is.
      .replace(/^&gt; /gm, '> ');
  return outsideCode(markdown, change, escaped);
}

export function toWhatsAppText(markdown: string): string {
  return outsideCode(markdown, (text) =>
    text
      .replace(BULLET, '$1- ')
      .replace(BOLD, '*$1*')
      .replace(STRIKE, '~$1~')
      .replace(HEADING, '*$1*')
      .replace(LINK, '$1 ($2)'),
  );
}

/** For platforms that show a text as it is. */
export function toPlainText(markdown: string): string {
  return outsideCode(markdown, (text) =>
    text
      .replace(BULLET, '$1- ')
      .replace(BOLD, '$1')
      .replace(STRIKE, '$1')
      .replace(HEADING, '$1')
      .replace(LINK, '$1 ($2)'),
  );
}
