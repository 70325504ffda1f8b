/** One result of a search. Its texts are strangers' words. */
export interface WebHit {
  readonly title: string;
  /** With http or https. */
  readonly url: string;
  /** A few sentences of the page; empty where the provider has none. */
  readonly snippet: string;
}

/** The operator's provider of web search. */
export interface WebSearch {
  /** @param count of results at most. @throws ToolFailed */
  find(query: string, options: { readonly count: number; readonly signal: AbortSignal }): Promise<readonly WebHit[]>;
}
