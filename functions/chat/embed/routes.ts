import type { Route } from '../../shared/http/route.ts';

export const getEmbedRoute = {
  id: 'chat.get-embed',
  method: 'GET',
  path: '/embed.js',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'The script that puts a public chatbot into a web page',
    description:
      '<script src="{base}/embed.js" data-token="tpa_…" async></script>. Optional: data-lang (ko or en; by default the ' +
      'page’s language), data-title, data-greeting and data-color.',
  },
  responses: { 200: { description: 'JavaScript, for pages of any origin' } },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [],
} as const satisfies Route;

export const embedRoutes: readonly Route[] = [getEmbedRoute];
