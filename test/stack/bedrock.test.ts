import { describe, expect, it } from 'vitest';
import { extractRoute } from '../../functions/extraction/routes.ts';
import { readConfig } from '../../lib/config.ts';
import { allOf, functionOf, type Synthesized, synthesize } from './synthesized.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

const modelRights = (stack: Synthesized) =>
  allOf(stack, 'AWS::IAM::Role')
    .flatMap(({ Properties }) => (Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('bedrock:')));

const extractEnvironment = (stack: Synthesized) => functionOf(stack, extractRoute)!.environment;

/** The ARNs of a statement, references written as `<AWS::Region>`. */
const arnsOf = ({ Resource }: Statement) =>
  [Resource].flat().map((resource) => {
    const parts = (resource as { 'Fn::Join': [string, (string | { Ref: string })[]] })['Fn::Join'][1];
    return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
  });

const MODEL = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const BEDROCK = 'arn:<AWS::Partition>:bedrock';

describe('the reader bedrock', () => {
  it('the reader may ask its one model, and no function may ask Textract', () => {
    const stack = synthesize({ reader: 'bedrock', bedrockModel: MODEL }, undefined, { isChecked: true });
    const [right] = modelRights(stack);
    expect(right!.Action).toBe('bedrock:InvokeModel');
    expect(arnsOf(right!)).toEqual([`${BEDROCK}:<AWS::Region>::foundation-model/${MODEL}`]);
    expect(extractEnvironment(stack)).toMatchObject({ READER: 'bedrock', BEDROCK_MODEL: MODEL });
    expect(JSON.stringify(stack.template('extraction').toJSON())).not.toContain('textract:');
  });

  it('the reader may ask an inference profile, and its model in every region of the profile', () => {
    const stack = synthesize({ reader: 'bedrock', bedrockModel: `apac.${MODEL}` });
    expect(arnsOf(modelRights(stack)[0]!)).toEqual([
      `${BEDROCK}:<AWS::Region>:<AWS::AccountId>:inference-profile/apac.${MODEL}`,
      `${BEDROCK}:*::foundation-model/${MODEL}`,
    ]);
  });

  it('gets no right and no setting where another reader reads', () => {
    for (const reader of ['textract', 'embedded']) {
      const stack = synthesize({ reader, bedrockModel: MODEL });
      expect(modelRights(stack)).toEqual([]);
      expect(extractEnvironment(stack)).not.toHaveProperty('BEDROCK_MODEL');
    }
  });

  it('needs a model', () => {
    const context: Record<string, string> = { reader: 'bedrock' };
    expect(() => readConfig((key) => context[key])).toThrow(/bedrockModel: the reader bedrock needs/);
  });
});
