import { CfnResource, DefaultStackSynthesizer, type ISynthesisSession, type Stack } from 'aws-cdk-lib';

/** The CDK's own synthesis of stacks, without the entries of DependsOn that a resource's properties imply. */
export class StackSynthesizer extends DefaultStackSynthesizer {
  override synthesize(session: ISynthesisSession): void {
    for (const construct of this.boundStack.node.findAll())
      if (CfnResource.isCfnResource(construct)) removeImplied(construct, this.boundStack);
    super.synthesize(session);
  }
}

function removeImplied(resource: CfnResource, stack: Stack): void {
  const targets = resource.obtainDependencies().filter(CfnResource.isCfnResource);
  if (targets.length === 0) return;
  // Also what `addPropertyOverride` changed.
  const { Resources } = stack.resolve((resource as unknown as Rendered)._toCloudFormation());
  const named = namesIn(Object.values<{ Properties?: unknown }>(Resources)[0]?.Properties);
  for (const target of targets)
    if (named.has(stack.resolve(target.logicalId))) resource.removeResourceDependency(target);
}

/** The method that the CDK renders a resource with; its types leave it out. */
interface Rendered {
  _toCloudFormation(): object;
}

/** Logical ids that a part of a template refers to. */
function namesIn(part: unknown, names = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return names;
  for (const [key, value] of Object.entries(part)) {
    if (key === 'Ref') names.add(value);
    else if (key === 'Fn::GetAtt') names.add([value].flat()[0].split('.')[0]);
    else if (key === 'Fn::Sub')
      for (const [, name] of [value].flat()[0].matchAll(/\$\{([A-Za-z0-9]+)/g)) names.add(name);
    if (key !== 'Ref') namesIn(value, names);
  }
  return names;
}
