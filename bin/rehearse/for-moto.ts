interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
}

type Resources = Readonly<Record<string, Resource>>;

/** Properties that global tables share with tables. */
const OF_TABLES = [
  ...['AttributeDefinitions', 'BillingMode', 'GlobalSecondaryIndexes', 'KeySchema', 'LocalSecondaryIndexes'],
  ...['StreamSpecification', 'TableName', 'TimeToLiveSpecification'],
];

const ALIAS = 'AWS::Lambda::Alias';

/** Types that moto's CloudFormation does not deploy, or not from what the templates say: it reads no definition of a REST API. */
const NOT_IN_MOTO = new Set([
  ...['AWS::ApiGateway::Account', 'AWS::ApiGateway::Deployment', 'AWS::ApiGateway::Stage', 'AWS::ApiGatewayV2::Api'],
  ...['AWS::ApiGatewayV2::Integration', 'AWS::ApiGatewayV2::Route', 'AWS::ApiGatewayV2::Stage'],
  ...['AWS::CloudWatch::Alarm', ALIAS, 'AWS::Lambda::EventInvokeConfig', 'AWS::Logs::MetricFilter'],
  ...['AWS::S3::BucketPolicy', 'AWS::SNS::Subscription', 'AWS::SNS::TopicPolicy', 'AWS::SQS::QueuePolicy'],
  ...['AWS::SecretsManager::Secret', 'Custom::CDKBucketDeployment', 'Custom::S3AutoDeleteObjects'],
]);

/** Properties with which moto fails: it expects tags of keys in the form of another API, and updates no layers of a function. */
const REFUSED: Readonly<Record<string, string>> = { 'AWS::KMS::Key': 'Tags', 'AWS::Lambda::Function': 'Layers' };

/**
 * A template as moto can deploy it: global tables are tables, and what moto does not know is left out. References to that become its name,
 * or the function of an alias.
 */
export function forMoto(template: object): object {
  const { Resources } = template as { readonly Resources: Resources };
  const entries = Object.entries(Resources);
  const left: Resources = Object.fromEntries(entries.filter(([, { Type }]) => NOT_IN_MOTO.has(Type)));
  const kept = entries
    .filter(([name]) => !(name in left))
    .map(([name, resource]) => [name, deployable(name, resource, left)]);
  return referring({ ...template, Resources: Object.fromEntries(kept) }, left) as object;
}

function deployable(name: string, resource: Resource, left: Resources): Resource {
  const { DependsOn = [] } = resource;
  const properties = Object.entries(resource.Properties ?? {});
  const changed = { ...resource, DependsOn: DependsOn.filter((name) => !(name in left)) };
  switch (resource.Type) {
    case 'AWS::DynamoDB::GlobalTable': {
      const shared = properties.filter(([name]) => OF_TABLES.includes(name));
      return { ...changed, Type: 'AWS::DynamoDB::Table', Properties: Object.fromEntries(shared) };
    }
    case 'AWS::S3::Bucket':
      // moto updates only buckets with a name.
      return { ...changed, Properties: { ...resource.Properties, BucketName: name.toLowerCase() } };
    default: {
      const refused = REFUSED[resource.Type];
      return { ...changed, Properties: Object.fromEntries(properties.filter(([name]) => name !== refused)) };
    }
  }
}

/** A part of a template with literals in place of references to `left`. */
function referring(part: unknown, left: Resources): unknown {
  if (Array.isArray(part)) return part.map((each) => referring(each, left));
  if (typeof part !== 'object' || part === null) return part;
  const { Ref, 'Fn::GetAtt': attribute } = part as { Ref?: string; 'Fn::GetAtt'?: readonly [string, string] };
  const name = Ref ?? attribute?.[0];
  const target = name === undefined ? undefined : left[name];
  if (name !== undefined && target !== undefined)
    return target.Type === ALIAS && Ref !== undefined
      ? target.Properties?.FunctionName
      : `arn:aws:left-out:ap-northeast-2:123456789012:left-out:${name}-000000`;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, referring(value, left)]));
}
