/** A mail in plain text. */
export interface Mail {
  /** The same for the same notice: a carrier that knows ids recognises a repetition by it. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** ISO time of the notice. */
  readonly date: string;
}

export interface Mailer {
  /**
   * Hands the mail to its carrier; when this returns the carrier has accepted it. A mail of an id that was sent before is
   * sent once more only where the carrier does not know ids. @throws Error when the carrier refused it, or may have.
   */
  send(mail: Mail): Promise<void>;
}

const MAX_NAME_LENGTH = 80;

/** A name is a customer's text: it must not be able to add lines to a mail. */
export function oneLine(name: string): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH).join('')}…` : line;
}
