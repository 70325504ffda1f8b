import { expect, it } from 'vitest';
import { EVERYTHING } from './all-options.ts';
import { type Synthesized, synthesize } from './synthesized.ts';

interface Resource {
  readonly DependsOn?: readonly string[];
  readonly Properties?: object;
}

const resourcesOf = ({ templates }: Synthesized) =>
  [...templates.values()].flatMap((template) => Object.entries<Resource>(template.toJSON().Resources));

it('resources depend explicitly on others, but on none that their properties name', () => {
  for (const context of [{}, EVERYTHING]) {
    const resources = resourcesOf(synthesize(context));
    const dependent = resources.filter(([, { DependsOn }]) => DependsOn !== undefined);
    expect(dependent.length).toBeGreaterThan(0);
    for (const [id, { DependsOn = [], Properties = {} }] of dependent)
      for (const other of DependsOn) {
        const properties = JSON.stringify(Properties);
        expect(properties, id).not.toContain(`{"Fn::GetAtt":["${other}"`);
        expect(properties, id).not.toContain(`{"Ref":"${other}"}`);
      }
  }
});
