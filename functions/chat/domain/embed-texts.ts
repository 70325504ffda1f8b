import type { TokenBudgets } from '../../accounts/domain/token-budgets.ts';
import { type UsageRecorder, usageEvent } from '../../accounts/domain/usage.ts';
import type { Embeddings } from '../../knowledge/domain/embeddings.ts';
import type { KnowledgeBases } from '../../knowledge/domain/knowledge-ports.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Application } from './application.ts';
import { admitTokens } from './budgeted-models.ts';
import { ModelFailed } from './chat-model.ts';
import { estimateTokens } from './tokens.ts';

export interface EmbedPorts {
  readonly bases: Pick<KnowledgeBases, 'findAll'>;
  readonly embeddings: Embeddings;
  readonly usage: UsageRecorder;
  readonly tokenBudgets: Pick<TokenBudgets, 'admit'>;
  readonly clock: Clock;
}

export interface TextsToEmbed {
  /** API key of the request; null: none. */
  readonly keyId: string | null;
  readonly texts: readonly string[];
  /** Numbers that each vector must have; undefined: as many as the model makes. */
  readonly dimensions: number | undefined;
  /** Takes work that the response does not wait for. */
  readonly background: (work: Promise<unknown>) => void;
}

export interface EmbeddedTexts {
  readonly model: string;
  /** One a text, of length 1. */
  readonly vectors: readonly Float32Array[];
  /** Of all texts, estimated. */
  readonly tokens: number;
}

/**
 * Vectors by the embedding model of an application's knowledge bases.
 * @returns null where none of them has one. @throws EmbeddingFailed; ModelFailed for another length than the model's, and for a budget that is used up.
 */
export async function embedTexts(
  { workspaceId, applicationId, config }: Pick<Application, 'workspaceId' | 'applicationId' | 'config'>,
  { keyId, texts, dimensions, background }: TextsToEmbed,
  signal: AbortSignal,
  { bases, embeddings, usage, tokenBudgets, clock }: EmbedPorts,
): Promise<EmbeddedTexts | null> {
  const { knowledgeBases } = config;
  const [linked, count] = await Promise.all([
    knowledgeBases.length === 0 ? [] : bases.findAll(workspaceId, knowledgeBases),
    admitTokens({ workspaceId, applicationId, keyId }, tokenBudgets),
  ]);
  const inOrder = linked.toSorted((a, b) => knowledgeBases.indexOf(a.baseId) - knowledgeBases.indexOf(b.baseId));
  const base = inOrder.find(({ embedding }) => embedding !== null);
  if (!base?.embedding) return null;
  const vectors = await embeddings.embed({ base, config: base.embedding }, texts, 'passage', signal);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  if (count) background(count(tokens));
  const who = { workspaceId, applicationId, keyId, service: 'chat' } as const;
  background(usage.record(usageEvent(who, { tokensIn: tokens }, clock.now())));
  const length = vectors[0]?.length;
  if (dimensions !== undefined && dimensions !== length)
    throw new ModelFailed(
      'invalid_request',
      `dimensions: the application’s embedding model makes vectors of ${length} numbers. Leave dimensions out.`,
    );
  return { model: base.embedding.model, vectors, tokens };
}
