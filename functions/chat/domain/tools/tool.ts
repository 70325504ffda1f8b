import type { AnswerFile } from '../answer-files.ts';
import type { ChatMessage } from '../messages.ts';

/** Arguments of a call as the model wrote them, parsed; nothing says that they fit the tool's parameters. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A JSON schema. */
export type ToolParameters = Readonly<Record<string, unknown>>;

/** Where a call comes from, and how long it may take. */
export interface ToolContext {
  readonly workspaceId: string;
  readonly applicationId: string;
  /** API key of the request; null: none. */
  readonly keyId: string | null;
  /** The same for a request that is sent again with its Idempotency-Key: what costs money is done once for it. */
  readonly requestKey: string;
  /** The conversation so far: tools that read images find them here. */
  readonly messages: readonly ChatMessage[];
  /** Epoch time at which the call is given up. */
  readonly deadlineMs: number;
  /** Aborted at that time, and when the client goes away. */
  readonly signal: AbortSignal;
}

export interface ToolResult {
  /** Text for the model. */
  readonly text: string;
  /** True when the text is the start of something larger. */
  readonly isCut?: boolean;
  /** For the reader of the answer. */
  readonly files?: readonly AnswerFile[];
}

/** Something that runs on our side when a model calls it. */
export interface Tool {
  /** 1 to 64 letters, digits, `_` and `-`; unique in an application. */
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  /** @throws ToolFailed; anything else is a fault of ours, and the model learns only that the call failed. */
  run(args: ToolArguments, context: ToolContext): Promise<ToolResult>;
}

export const TOOL_NAME = /^[\w-]{1,64}$/;

export type ToolFailureCode =
  /** The arguments do not fit the tool. */
  | 'invalid_arguments'
  | 'unknown_tool'
  | 'timeout'
  /** It was reached, and says no. */
  | 'refused'
  | 'unavailable'
  | 'failed';

/** Why a call gave no result. The message is for the model and for clients: it holds no secret. */
export class ToolFailed extends Error {
  override name = 'ToolFailed';
  readonly code: ToolFailureCode;

  constructor(code: ToolFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
