export type Service =
  | 'accounts'
  | 'extraction'
  | 'chat'
  | 'knowledge'
  | 'channels'
  | 'workflows'
  | 'sandbox'
  | 'mcp'
  | 'system';

/** Stable name of a route's or worker's function, `service.verb-noun`. */
export type FunctionId = `${Service}.${string}`;
