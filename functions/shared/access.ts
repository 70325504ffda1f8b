import type { FunctionId } from './function-id.ts';
import type { BucketId, QueueId, TableId } from './resources.ts';

/** Everything that a function may use. `lib/grants/` turns each grant into rights and settings, and grants nothing else. */
export type Access = readonly AccessGrant[];

export type AccessGrant = TableGrant | BucketGrant | QueueGrant | InvokeGrant | Facility;

/** IAM's names of the calls to a table. Only the erasure, which is a facility, may scan. */
export type TableAction =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** IAM's names of the calls to a bucket. A presigned address can do no more than the function that signs it. */
export type ObjectAction = 'DeleteObject' | 'GetObject' | 'ListBucket' | 'PutObject';

export type QueueUse = 'send' | 'consume' | 'consume-dead-letters';

export interface TableGrant {
  readonly kind: 'table';
  readonly table: TableId;
  readonly actions: readonly TableAction[];
}

export interface BucketGrant {
  readonly kind: 'bucket';
  readonly bucket: BucketId;
  readonly actions: readonly ObjectAction[];
}

export interface QueueGrant {
  readonly kind: 'queue';
  readonly queue: QueueId;
  readonly uses: readonly QueueUse[];
}

export interface InvokeGrant {
  readonly kind: 'invoke';
  readonly functions: readonly FunctionId[];
}

/** Rights and settings that belong together, by what they are for. */
export type Facility =
  /** Records acts in the audit trail, which the function cannot read. */
  | 'audit'
  /** Settings of the circuit breakers of platforms. */
  | 'breakers'
  /** Holds and charges the price of a service. A service without a price gives no right. */
  | 'charges:chat'
  | 'charges:sandbox'
  /** Asks the language models of applications. */
  | 'chat-models'
  | 'drug-master'
  /** Erases what any store has of a workspace. */
  | 'erasure'
  /** Counts the pages that cost a workspace nothing. */
  | 'free-pages'
  | 'mail'
  /** The OCR layer (native modules, models) and the reader of pictures. */
  | 'ocr'
  /** Adds mails to the outbox in the table of accounts, or sends those that wait there. */
  | 'outbox:add'
  | 'outbox:deliver'
  /** Owners post their own payments, if the deployment lets them; or the payment provider does, by a webhook. */
  | 'payments:self'
  | 'payments:webhook'
  /** Reads PDFs: PDFium is in the OCR layer. With scans: pages that are pictures, too. */
  | 'pdf'
  | 'pdf:scans'
  /** Takes tokens of rate limits, though the function checks no credential. */
  | 'rate-limits'
  /** Use of the pool of runners: reads its languages, dispatches programs, registers runners, scales it. No right if there is no pool. */
  | 'runners:languages'
  | 'runners:run'
  | 'runners:note'
  | 'runners:tend'
  /** Decrypts, or encrypts, secrets of applications. */
  | 'secrets:open'
  | 'secrets:seal'
  /** Signs access tokens, or replaces the key that they are signed with. */
  | 'signing'
  | 'signing:rotate'
  /** Sends messages to clients of WebSockets. */
  | 'sockets'
  | 'textract'
  /** Keeps to the budgets of tokens that workspaces set for their keys and applications. */
  | 'token-budgets'
  /** Runs the tool `web_search`, or only refuses it if there is no provider. */
  | 'web-search:ask'
  | 'web-search:know';

export function table(id: TableId, ...actions: readonly TableAction[]): TableGrant {
  return { kind: 'table', table: id, actions };
}

export function bucket(id: BucketId, ...actions: readonly ObjectAction[]): BucketGrant {
  return { kind: 'bucket', bucket: id, actions };
}

/** @param uses 'consume' is for the messages themselves, 'consume-dead-letters' for those that failed too often. */
export function queue(id: QueueId, ...uses: readonly QueueUse[]): QueueGrant {
  return { kind: 'queue', queue: id, uses };
}

/** Functions of the deployment that the function invokes. */
export function invoke(...functions: readonly FunctionId[]): InvokeGrant {
  return { kind: 'invoke', functions };
}

/** The grants of one kind, such as all those to tables. */
export function grantsOfKind<Kind extends Exclude<AccessGrant, Facility>['kind']>(
  access: Access,
  kind: Kind,
): readonly Extract<AccessGrant, { readonly kind: Kind }>[] {
  return access.filter((grant) => typeof grant === 'object' && grant.kind === kind) as Extract<
    AccessGrant,
    { readonly kind: Kind }
  >[];
}
