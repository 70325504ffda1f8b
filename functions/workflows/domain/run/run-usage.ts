import { type UsageEvent, usageEvent } from '../../../accounts/domain/usage.ts';
import { accessTokenIdOf, keyIdOf } from '../../../shared/principal.ts';
import type { Cost } from '../engine/engine-events.ts';
import type { RunHead } from './run.ts';

/**
 * Tokens that a run has used, to be counted with its end; null where there are none to count. Tables and programs are
 * counted by their own services, and the call of a chat by the chat.
 */
export function runUsage(
  { workspaceId, trigger }: Pick<RunHead, 'workspaceId' | 'trigger'>,
  { promptTokens, completionTokens }: Cost,
  nowMs: number,
): UsageEvent | null {
  const isCall = trigger.kind === 'api';
  if (!isCall && promptTokens + completionTokens === 0) return null;
  const { caller, applicationId } = trigger;
  const [keyId, accessTokenId] = [keyIdOf(caller), accessTokenIdOf(caller)];
  const tokens = { tokensIn: promptTokens, tokensOut: completionTokens };
  const event = usageEvent({ workspaceId, applicationId, keyId, accessTokenId, service: 'chat' }, tokens, nowMs);
  return isCall ? event : { ...event, amounts: tokens };
}
