import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** The payment provider's webhook secret: `whsec_` and this text, which is base64 of 33 bytes. */
export class PaymentSecret extends Construct {
  readonly secret: Secret;

  /** @param keepForGood for a secret that outlives its stack. */
  constructor(scope: Construct, id: string, { keepForGood }: { readonly keepForGood: boolean }) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'What the payment provider signs its webhooks with',
      generateSecretString: { passwordLength: 44, excludePunctuation: true },
      removalPolicy: keepForGood ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The payment provider has to get the new one at the same time: the operator replaces it.',
    });
  }
}
