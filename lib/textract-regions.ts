/** Regions that the service endpoints of Amazon Textract name, as of November 2026. */
const TEXTRACT_REGIONS: ReadonlySet<string> = new Set([
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'us-gov-east-1', 'us-gov-west-1'],
  ...['eu-central-1', 'eu-west-1', 'eu-west-2', 'eu-west-3', 'eu-south-2'],
  ...['ap-northeast-2', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2'],
]);

export function textractIsKnownIn(region: string): boolean {
  return TEXTRACT_REGIONS.has(region);
}
