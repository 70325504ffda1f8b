import type { FunctionId } from './function-id.ts';
import type { QueueId, TableId } from './resources.ts';

/** Resources that a function uses, and how. `lib/grants/` turns each member into rights and settings, and grants nothing else. */
export interface Access {
  readonly tables?: Partial<Record<TableId, TableRight>>;
  readonly uploads?: 'read' | 'read-remove' | 'read-write' | 'read-write-remove' | 'remove';
  /** Programs and outputs that are too large for a table. */
  readonly executions?: 'read' | 'read-write';
  /** Segments of the indexes of knowledge bases. */
  readonly knowledge?: 'read' | 'read-write';
  /** Files that knowledge bases read by themselves. */
  readonly sources?: 'read';
  readonly queues?: Partial<Record<QueueId, 'send' | 'consume' | 'consume-and-send' | 'consume-dead-letters'>>;
  /** Secrets of applications: encrypts new ones, or decrypts stored ones. */
  readonly secrets?: 'seal' | 'open';
  /** True when the function reads or changes the circuit breakers of platforms. */
  readonly breakers?: boolean;
  /** True when the function asks the language models of applications. */
  readonly chatModels?: boolean;
  /** 'ask' when the function runs the tool `web_search`, 'know' when it only refuses the tool where there is no provider. */
  readonly webSearch?: 'ask' | 'know';
  /** True when the function keeps to the budgets of tokens that workspaces set for their keys and applications. */
  readonly tokenBudgets?: boolean;
  /** The service whose price the function holds and charges. A service without a price gives no right. */
  readonly charges?: 'chat' | 'sandbox';
  /** Ids of functions of the deployment that it invokes. */
  readonly invokes?: readonly FunctionId[];
  /** True when the function sends messages to clients of WebSockets. */
  readonly sockets?: boolean;
  /** Role of the function towards the pool of runners; it gets no right where there is no pool. */
  readonly runners?: RunnerAccess;
  readonly textract?: boolean;
  /** 'deliver' when the function works off the mails that wait in the accounts table, 'add' when it only adds some. */
  readonly outbox?: 'deliver' | 'add';
  /** True when the function records acts in the audit trail, which it cannot read. */
  readonly audit?: boolean;
  /** True when the function signs access tokens, 'rotate' when it replaces the key that they are signed with. */
  readonly signing?: true | 'rotate';
  /** 'self' when owners post their own payments, where the deployment lets them; 'webhook' when the payment provider does. */
  readonly payments?: 'self' | 'webhook';
  /** True when the function erases what any store has of a workspace. */
  readonly erasure?: boolean;
  /** True when the function sends mail. */
  readonly mail?: boolean;
  /** True when the function needs the OCR layer (native modules, models). */
  readonly ocr?: boolean;
  /** True when the function reads PDFs: PDFium is in the OCR layer. 'scans' when it reads pages that are pictures, too. */
  readonly pdf?: true | 'scans';
  /** True when the function counts the pages that cost a workspace nothing. */
  readonly freePages?: boolean;
  /** Archives of whole workspaces. */
  readonly exports?: 'read' | 'write';
  /** Drug lists of workspaces' own. */
  readonly formularies?: 'read' | 'read-write';
  /** True when the function takes tokens of rate limits, though it checks no credential. */
  readonly rateLimits?: boolean;
  /** True when the function loads the drug master. */
  readonly master?: boolean;
}

export type TableRight =
  | 'read'
  | 'read-write'
  /** As 'read', and finds items of all workspaces. */
  | 'scan'
  /** Adds to counters, or completes records, that it cannot read. */
  | 'add';

export type RunnerAccess =
  /** Reads the list of languages. */
  | 'languages'
  /** Dispatches programs. */
  | 'run'
  /** Registers runners. */
  | 'note'
  /** Scales the pool. */
  | 'tend';
