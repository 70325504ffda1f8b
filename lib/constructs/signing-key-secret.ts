import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** The source of the key that signs access tokens. Losing it costs every user a new login and nothing else. */
export class SigningKeySecret extends Construct {
  readonly secret: Secret;

  /** @param keepForGood for a secret that outlives its stack. */
  constructor(scope: Construct, id: string, { keepForGood }: { readonly keepForGood: boolean }) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'What the key that signs access tokens is made from',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: keepForGood ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A scheduled function of the accounts rotates it, which has to publish the new key first.',
    });
  }
}
