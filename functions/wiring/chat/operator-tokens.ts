import { environment } from '../../shared/environment.ts';
import type { FreeWork } from '../../shared/limits/free-work.ts';
import { freeWorkOf } from '../shared/free-work.ts';

/** The daily budget of tokens of models that the operator pays for; undefined where there is none. */
export function operatorTokens(): FreeWork | undefined {
  const { CHAT_TOKENS_PER_WORKSPACE: perClient, CHAT_TOKENS_IN_ALL: inAll } = environment(
    'CHAT_TOKENS_PER_WORKSPACE',
    'CHAT_TOKENS_IN_ALL',
  );
  return perClient === 0 && inAll === 0 ? undefined : freeWorkOf({ name: 'operator-tokens', perClient, inAll });
}
