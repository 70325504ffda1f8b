/** A mail in plain text. */
export interface Mail {
  /** The same for the same occasion: a carrier that can tells a repetition by it. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** ISO time of the occasion. */
  readonly date: string;
}

export interface Mailer {
  /**
   * Hands the mail to its carrier; when this returns it is on its way. A mail of an id that was sent before is sent once
   * more only where the carrier cannot tell. @throws Error when the carrier did not take it, or nobody knows whether it did.
   */
  send(mail: Mail): Promise<void>;
}
