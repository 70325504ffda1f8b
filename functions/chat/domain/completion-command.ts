import type { Application } from './application.ts';
import type { ModelRequest, Usage } from './chat-model.ts';
import type { AnsweredSession, Caller } from './conversations.ts';

/** A message of a channel, which is answered once, also after a crash. */
export interface Origin {
  /** The same for a message that is worked on again. */
  readonly key: string;
  /** Where later answers go, in the terms of the channel. */
  readonly place: object;
}

export interface CompletionCommand {
  /** Id of the completion, and of its turn. */
  readonly id: string;
  readonly application: Application;
  /** The request as it was sent. */
  readonly request: ModelRequest;
  /** Null: nothing is kept. */
  readonly session: AnsweredSession | null;
  /** API key of the request; null: none. */
  readonly keyId: string | null;
  /** The same for a request that is sent again with its Idempotency-Key; otherwise of this request alone. */
  readonly requestKey: string;
  readonly caller: Caller;
  /** Of a workflow application: values of the start node's fields. */
  readonly startNodeInputs: Readonly<Record<string, unknown>>;
  /** Of a message of a channel. */
  readonly origin?: Origin;
  /** Epoch time at which the function ends for certain. */
  readonly deadlineMs: number;
  /** Of a stream: milliseconds that it stays open for what a workflow answers after a wait for people; absent: it ends with the notice. */
  readonly openMs?: number;
  /** Takes work that the answer does not wait for. */
  readonly background: (work: Promise<unknown>) => void;
  /** Called with what the models have used, once, also where the client leaves before the end. */
  readonly onUsage?: (usage: Usage) => void;
}
