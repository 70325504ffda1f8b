import { expect, it } from 'vitest';
import { changeApplicationRoute, createApplicationRoute } from '../../functions/chat/applications/routes.ts';
import { completeChatRoute } from '../../functions/chat/completions/routes.ts';
import { runWorkflowRoute } from '../../functions/workflows/run-routes.ts';
import { processRunWorker } from '../../functions/workflows/workers.ts';
import { readConfig } from '../../lib/config.ts';
import { functionOf, synthesize } from './synthesized.ts';

const URL = 'https://api.search.brave.com/res/v1/web/search';
const SECRET = 'arn:aws:secretsmanager:ap-northeast-2:123456789012:secret:search-AbCdEf';
const stack = () => synthesize({ webSearchUrl: URL, webSearchSecretArn: SECRET }, undefined, { isChecked: true });

it.each([completeChatRoute, runWorkflowRoute, processRunWorker])(
  '$id knows the search provider, and may read its key',
  (entry) => {
    const { environment, role } = functionOf(stack(), entry)!;
    expect(environment).toMatchObject({
      ...{ WEB_SEARCH_URL: URL, WEB_SEARCH_FORMAT: 'brave', WEB_SEARCH_SECRET: SECRET },
    });
    expect(JSON.stringify(role.Policies)).toContain(SECRET);
  },
);

it.each([createApplicationRoute, changeApplicationRoute])(
  '$id knows that there is a search provider, but not its key',
  (entry) => {
    const { environment, role } = functionOf(stack(), entry)!;
    expect(environment).toMatchObject({ WEB_SEARCH_URL: URL });
    expect(environment).not.toHaveProperty('WEB_SEARCH_SECRET');
    expect(JSON.stringify(role.Policies)).not.toContain(SECRET);
  },
);

it('Brave Search without a key is refused as an option, and SearXNG needs none', () => {
  const configOf = (options: Readonly<Record<string, string>>) => readConfig((name) => options[name]);
  expect(() => configOf({ webSearchUrl: URL })).toThrow(/webSearchSecretArn: Brave Search needs a key/);
  expect(configOf({ webSearchUrl: 'https://search.example.com/search', webSearchFormat: 'searxng' })).toMatchObject({
    webSearchFormat: 'searxng',
  });
});
