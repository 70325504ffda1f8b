import type { Schemas } from '../../api/openapi.d.ts';

type Application = Schemas['Application'];
type NewApplication = Schemas['ChatCreateApplicationRequest'];

/**
 * The request that makes a copy; null: the application has keys or headers, which the API never gives out, so that a copy would not work.
 * The copy is not offered to agents.
 */
export function copyRequest({ type, description, config }: Application, name: string): NewApplication | null {
  const { model, mcp: _, tools, ...others } = config;
  const hasSecret =
    [model, ...model.fallbacks].some(({ has_api_key }) => has_api_key) ||
    tools.some((tool) => tool.type === 'http' || tool.type === 'mcp');
  if (hasSecret) return null;
  const { has_api_key: __, fallbacks, ...main } = model;
  return {
    ...{ name, type, description },
    config: {
      ...others,
      model: { ...main, fallbacks: fallbacks.map(({ has_api_key: ___, ...fallback }) => fallback) },
      tools: tools as NonNullable<NonNullable<NewApplication['config']>['tools']>,
    },
  };
}
