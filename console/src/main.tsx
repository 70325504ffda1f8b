import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/problem.ts';
import { makeRouter } from './app/router.tsx';
import { applyTheme, storedTheme } from './app/theme.ts';
import './style.css';
import { startTexts } from './texts/i18n.ts';

applyTheme(storedTheme());
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A faulty call stays faulty; a lost connection may come back.
      retry: (failures, error) => failures < 2 && !(error instanceof Problem && error.status > 0 && error.status < 500),
    },
  },
});
const router = makeRouter(queries);
startTexts();
// The page's own code comes while the session is asked for.
for (const route of router.getMatchedRoutes(location.pathname)[0]) void router.loadRouteChunk(route);
const root = createRoot(document.getElementById('root')!);
// In short steps, so that a slow phone answers to touch meanwhile.
startTransition(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
