import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../console/src/api/openapi.d.ts';
import { copyRequest } from '../../../console/src/pages/applications/duplicate.ts';

type Application = Schemas['Application'];
type Config = Application['config'];

const MODEL: Config['model'] = {
  ...{ provider: 'bedrock', name: 'a-model', base_url: null, has_api_key: false, timeout: 60, context_window: 8_000 },
  ...{ extra_body: {}, omit_parameters: [], max_tokens_parameter: null, transcription_model: null, fallbacks: [] },
};

function application(config: Partial<Config>): Application {
  return {
    ...{ id: 'a', name: 'Opening hours', type: 'chat', description: 'For visitors', created_at: '', updated_at: '' },
    config: {
      ...{ model: MODEL, system_prompt: 'Be brief.', temperature: 0.2, top_p: null, max_tokens: null },
      ...{ history_tokens: 4_000, knowledge_bases: ['kb'], tools: [{ type: 'time', name: 'time' }] },
      ...{ stream_start: 'first_part', workflow_id: null },
      mcp: { enabled: true, name: 'opening_hours', description: null },
      ...config,
    },
  };
}

describe('a copy of an application', () => {
  it('has its settings, another name, and is not offered to agents', () => {
    const copy = copyRequest(application({}), 'Copy of Opening hours');
    expect(copy).toMatchObject({ name: 'Copy of Opening hours', type: 'chat', description: 'For visitors' });
    expect(copy?.config).toMatchObject({
      ...{ system_prompt: 'Be brief.', temperature: 0.2, knowledge_bases: ['kb'], tools: [{ type: 'time' }] },
      model: { provider: 'bedrock', name: 'a-model' },
    });
    expect(copy?.config).not.toHaveProperty('mcp');
    expect(copy?.config?.model).not.toHaveProperty('has_api_key');
  });

  it.each<[string, Partial<Config>]>([
    ['its model', { model: { ...MODEL, has_api_key: true } }],
    ['a fallback', { model: { ...MODEL, fallbacks: [{ ...MODEL, has_api_key: true }] } }],
    [
      'a tool',
      { tools: [{ type: 'mcp', name: 'a', server: 'https://example.com', allowed_tools: null, headers: [] }] },
    ],
  ])('cannot be made where %s has a secret', (_, config) => {
    expect(copyRequest(application(config), 'Copy')).toBeNull();
  });
});
