import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { ChargedModels } from '../../chat/domain/charged-models.ts';
import type { ChatModels } from '../../chat/domain/chat-model.ts';
import { environment } from '../../shared/environment.ts';
import { heldFunds } from '../accounts/held-funds.ts';

/** The models at the deployment's price; the models themselves where there is none. */
export function atPrice(models: ChatModels): ChatModels {
  const { PRICE_CHAT_KRW_PER_1K_TOKENS: krwPer1kTokens } = environment('PRICE_CHAT_KRW_PER_1K_TOKENS');
  if (krwPer1kTokens === 0) return models;
  return new ChargedModels(models, { funds: heldFunds(), clock: systemClock, ids: ulidIds, krwPer1kTokens });
}
