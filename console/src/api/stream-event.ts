/** One event of a stream: `type` null is a piece of the answer, in OpenAI's form. */
export interface StreamEvent {
  readonly type: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
