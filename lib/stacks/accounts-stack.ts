import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { deliverNoticesWorker } from '../../functions/accounts/workers.ts';
import { NoticeDelivery, readStreamStatement } from '../constructs/notice-delivery.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Workspaces, balance and ledger; delivers the low-balance e-mails where there is a sender. */
export class AccountsStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'accounts', props);
    this.serveRoutes();
    if (props.config.mailFrom === undefined) this.#warn();
    else this.#deliverNotices();
  }

  /** Without a sender notices wait until they expire. */
  #warn(): void {
    Annotations.of(this).addWarningV2(
      'tripod:no-mail',
      'Low-balance e-mails are not sent: name their sender with -c mailFrom=…, an address that SES has verified.',
    );
  }

  #deliverNotices(): void {
    const { accounts } = this.props.data.tables;
    const worker = deliverNoticesWorker;
    const deliver = this.functionOf(worker, worker.doc.summary, {}, [readStreamStatement(accounts)]);
    new NoticeDelivery(this, 'NoticeDelivery', { accounts, deliver });
  }
}
