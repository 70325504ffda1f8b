import { expect, it } from 'vitest';
import { tables } from '../../functions/shared/resources.ts';
import { synthesize } from './synthesized.ts';

it('exports the stream of each table that has one, and of no other: CloudFormation refuses an output without a value', () => {
  const { Resources, Outputs } = synthesize({}, undefined, { isChecked: false }).template('data').toJSON();
  const exported = Object.values<{ Value: { 'Fn::GetAtt'?: readonly string[] } }>(Outputs).flatMap(({ Value }) => {
    const [name = '', attribute] = Value['Fn::GetAtt'] ?? [];
    return attribute === 'StreamArn' ? [name] : [];
  });
  const streamed = Object.values(tables).filter((table) => 'isStreamed' in table && table.isStreamed);
  expect(streamed.length).toBeGreaterThan(0);
  expect(exported).toHaveLength(streamed.length);
  for (const name of exported) expect(Resources[name].Properties).toHaveProperty('StreamSpecification');
});
