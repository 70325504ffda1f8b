import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/chat/chat.ts';
import { getEmbedRoute } from '../embed/routes.ts';
import embed from '../embed/script.json' with { type: 'json' };

const headers = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const endpoint = pipeline(getEmbedRoute, http, async () => ({ status: 200, text: embed.script, headers }));

export const handler = bufferedHandler(endpoint);
