import guide from '../../../../docs/workflows.md?raw';

/** The node types and an example of each one's config, as the guide has them. */
export const NODE_TYPES: ReadonlyMap<string, Record<string, unknown>> = new Map(
  guide
    .split('\n### ')
    .slice(1)
    .flatMap((section) => {
      const [type = '', ...rest] = section.split('\n');
      const [, json] = rest.join('\n').split('```json\n');
      const text = json?.split('```')[0];
      return text === undefined || !/^[a-z_]+$/.test(type) ? [] : [[type, JSON.parse(text) as Record<string, unknown>]];
    }),
);
