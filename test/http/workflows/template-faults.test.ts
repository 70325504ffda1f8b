import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope } from '../../helpers/workflows/calls.ts';

const service = useService();

interface Validated {
  readonly valid: boolean;
  readonly issues: readonly { readonly message: string }[];
}

async function validated(template: string, syntax: string) {
  const node = (id: string, type: string, config: object, more: object = {}) => ({
    id,
    type,
    data: { title: id, config, ...more },
  });
  const fields = [{ name: 'v', type: 'text' }];
  const graph = {
    nodes: [
      node('start', 'start', { fields }),
      node('fill', 'template', { template, syntax }, { inputs: { v: '{{start.v}}' } }),
      node('end', 'answer', { text: '{{fill.text}}' }),
    ],
    edges: [
      { source: 'start', target: 'fill' },
      { source: 'fill', target: 'end' },
    ],
  };
  const name = `Template ${Math.random()}`;
  const { json } = await envelope<{ id: string }>(service, 'POST', '/workflows', { name, graph });
  const path = `/workflows/${json.data.id}`;
  const { data } = (await envelope<Validated>(service, 'POST', `${path}/validate`, {})).json;
  const { status } = await envelope(service, 'POST', `${path}/versions`, {});
  return { ...data, status };
}

it.each([
  ['liquid', '{{ start.v }}', 'uses members of start'],
  ['jinja2', '{% if sys.query %}x{% endif %}', 'uses members of sys'],
  ['liquid', '{{ v | shout }}', 'undefined filter: shout'],
  ['jinja2', '{{ v | upper | shout(2) }}', 'undefined filter: shout'],
  ['jinja2', '{% for c in v %}{{ [c | shout] }}{% endfor %}', 'undefined filter: shout'],
  ['jinja2', '{% filter shout %}x{% endfilter %}', 'undefined filter: shout'],
])('the %s template %j is refused when it is published', async (syntax, template, fault) => {
  const { valid, status, issues } = await validated(template, syntax);
  expect([valid, status, issues.map(({ message }) => message).join()]).toEqual([
    false,
    422,
    expect.stringContaining(fault),
  ]);
});

it.each([
  ['liquid', '{% assign start = v %}{{ start.size }} {{ "start.v" }} start.v {{ v | upcase }}'],
  ['jinja2', '{% for start in v %}{{ start.x | default(1) }}{% endfor %}{{ v | upper | tojson(indent=2) }}'],
])('the %s template %j is published', async (syntax, template) => {
  expect(await validated(template, syntax)).toMatchObject({ valid: true, status: 201 });
});
