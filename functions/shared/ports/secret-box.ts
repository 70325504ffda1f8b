/** A secret as it is stored: only its SecretBox can open it. */
export type SealedSecret = string;

/** Encrypts what must not be readable where it is stored. */
export interface SecretBox {
  /** @param context is authenticated: a text that is moved elsewhere cannot be opened there. */
  seal(text: string, context: string): Promise<SealedSecret>;
  /** @throws when it was sealed for another context, or with another key. */
  open(sealed: SealedSecret, context: string): Promise<string>;
}
