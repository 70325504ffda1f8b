import type { FailureCode, ModelPart } from './chat-model.ts';

/** A model is asked once more, or the next one is asked. */
export interface RetryPart {
  readonly kind: 'retry';
  readonly scope: 'model' | 'fallback';
  readonly code: FailureCode;
  readonly message: string;
  /** Number of the attempt that follows, of this model. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly delayMs: number;
}

export type AnswerPart = ModelPart | RetryPart;
