import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import {
  CfnFirewallDomainList,
  CfnFirewallRuleGroup,
  CfnFirewallRuleGroupAssociation,
} from 'aws-cdk-lib/aws-route53resolver';
import { Construct } from 'constructs';

export interface SandboxDnsFirewallProps {
  readonly vpc: IVpc;
  /** The names that may be resolved; `*.` at the start stands for any label. */
  readonly names: readonly string[];
}

/** Security groups do not see questions to the resolver of the network, and a name that is asked for carries words out. */
export class SandboxDnsFirewall extends Construct {
  constructor(scope: Construct, id: string, { vpc, names }: SandboxDnsFirewallProps) {
    super(scope, id);
    const needed = new CfnFirewallDomainList(this, 'Needed', { domains: [...names] });
    const all = new CfnFirewallDomainList(this, 'All', { domains: ['*'] });
    const group = new CfnFirewallRuleGroup(this, 'Rules', {
      firewallRules: [
        {
          priority: 1,
          action: 'ALLOW',
          firewallDomainListId: needed.attrId,
          // Services answer with further names.
          firewallDomainRedirectionAction: 'TRUST_REDIRECTION_DOMAIN',
        },
        { priority: 2, action: 'BLOCK', blockResponse: 'NXDOMAIN', firewallDomainListId: all.attrId },
      ],
    });
    new CfnFirewallRuleGroupAssociation(this, 'Association', {
      firewallRuleGroupId: group.attrId,
      vpcId: vpc.vpcId,
      priority: 101,
    });
  }
}
