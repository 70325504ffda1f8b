/** `resp_`, then the ULID of the first response of the conversation, and its own. */
export const RESPONSE_ID = /^resp_([0-9A-HJKMNP-TV-Z]{26})([0-9A-HJKMNP-TV-Z]{26})$/;

const COMPLETION = 'chatcmpl-';

/** @param first id of the turn that the conversation started with. */
export function responseId(first: string, turnId: string): string {
  return `resp_${first.slice(COMPLETION.length)}${turnId.slice(COMPLETION.length)}`;
}

/** @param id of the form of `RESPONSE_ID`. */
export function turnOfResponse(id: string): { readonly first: string; readonly turnId: string } {
  const [, first = '', own = ''] = RESPONSE_ID.exec(id) ?? [];
  return { first: COMPLETION + first, turnId: COMPLETION + own };
}

/** The id of the session that holds the responses of a conversation. */
export function sessionOfResponses(first: string): string {
  return `responses ${first.slice(COMPLETION.length)}`;
}
