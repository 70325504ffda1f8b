import { Arn, type Stack } from 'aws-cdk-lib';

/** Inference profiles of AWS: their ids are a model's behind the part of the world that serves it. */
const PROFILE = /^(?:global|us|us-gov|eu|apac|jp|au|ca)\.(?<model>.+)$/;

/**
 * The permissions needed to ask a model: the model itself and, for an inference profile, the model in every region that the profile may
 * choose.
 * @param model id or ARN of a foundation model or of an inference profile.
 */
export function bedrockModelArns(model: string, stack: Stack): readonly string[] {
  if (model.startsWith('arn:')) {
    const profiled = PROFILE.exec(model.split('/').at(-1) ?? '')?.groups?.model;
    return profiled === undefined ? [model] : [model, foundationModel(profiled, stack, '*')];
  }
  const profiled = PROFILE.exec(model)?.groups?.model;
  if (profiled === undefined) return [foundationModel(model, stack, stack.region)];
  const profile = Arn.format({ service: 'bedrock', resource: 'inference-profile', resourceName: model }, stack);
  return [profile, foundationModel(profiled, stack, '*')];
}

function foundationModel(id: string, stack: Stack, region: string): string {
  return Arn.format({ service: 'bedrock', region, account: '', resource: 'foundation-model', resourceName: id }, stack);
}
