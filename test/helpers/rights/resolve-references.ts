import type { Template } from 'aws-cdk-lib/assertions';
import type { Part } from '../../stack/synthesized.ts';

const ACCOUNT = '111122223333';
export const REGION = 'ap-northeast-2';
const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Shape of an ARN by the type of its resource; the name is the logical id, since AWS would generate one. */
export const arnOf = {
  table: (name: string) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`,
  queue: (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`,
  function: (name: string) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
  identity: (domain: string) => `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${domain}`,
  connection: (method: string) => `arn:aws:execute-api:${REGION}:${ACCOUNT}:api/dev/${method}/@connections/id`,
  bucket: (bucket: string) => `arn:aws:s3:::${bucket}`,
  object: (bucket: string, key: string) => `arn:aws:s3:::${bucket}/${key}`,
} as const;

/** Turns references in a template into the names and ARNs that they would have on AWS, with logical ids for generated names. */
export function resolver(templates: ReadonlyMap<Part, Template>, part: Part): (value: unknown) => string {
  const resources = templates.get(part)!.toJSON().Resources as Record<string, { Type: string }>;
  const resolve = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const [[kind, inner]] = Object.entries(value as Record<string, unknown>) as [[string, unknown]];
    switch (kind) {
      case 'Ref':
        return PSEUDO[inner as string] ?? attribute(inner as string, 'Ref');
      case 'Fn::GetAtt':
        return attribute(...(inner as [string, string]));
      case 'Fn::Join': {
        const [separator, parts] = inner as [string, unknown[]];
        return parts.map(resolve).join(separator);
      }
      case 'Fn::ImportValue':
        return imported(templates, inner as string);
      default:
        throw new Error(`The resolver of references knows no ${kind}.`);
    }
  };
  const attribute = (id: string, name: string): string => {
    const { Type } = resources[id] ?? { Type: 'parameter' };
    switch (`${Type} ${name}`) {
      case 'AWS::DynamoDB::GlobalTable Arn':
        return arnOf.table(id);
      case 'AWS::SQS::Queue Arn':
        return arnOf.queue(id);
      case 'AWS::SQS::Queue Ref':
        return `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${id}`;
      case 'AWS::S3::Bucket Arn':
        return `arn:aws:s3:::${id}`;
      default:
        return name === 'Ref' ? id : `${Type}/${id}/${name}`;
    }
  };
  return resolve;
}

function imported(templates: ReadonlyMap<Part, Template>, name: string): string {
  for (const [part, template] of templates) {
    const outputs = Object.values(
      (template.toJSON().Outputs ?? {}) as Record<string, { Value: unknown; Export?: { Name: unknown } }>,
    );
    const found = outputs.find((output) => output.Export?.Name === name);
    if (found) return resolver(templates, part)(found.Value);
  }
  throw new Error(`No stack exports ${name}.`);
}
