import { Annotations, Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as InvokeFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import {
  checkLedgerWorker,
  deliverNoticesWorker,
  eraseDataWorker,
  exportWorkspaceWorker,
  rotateSigningKeyWorker,
} from '../../functions/accounts/workers.ts';
import { NoticeDelivery, readStreamStatement } from '../constructs/notice-delivery.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Workspaces, balance and ledger; delivers the low-balance e-mails where there is a sender. */
export class AccountsStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'accounts', props);
    this.serveRoutes();
    this.#rotateSigningKey();
    this.#eraseData();
    this.#checkLedger();
    // An export that fails is started again by its owner.
    this.functionOf(exportWorkspaceWorker, exportWorkspaceWorker.doc.summary).configureAsyncInvoke({
      retryAttempts: 0,
    });
    if (props.config.mailFrom === undefined) this.#warn();
    else this.#deliverNotices();
  }

  /** Without a sender notices wait until they expire. */
  #warn(): void {
    Annotations.of(this).addWarningV2(
      'tripod:no-mail',
      'E-mails (low balance, invitations, password resets) are not sent, and registration is off by default: name their sender with -c mailFrom=…, an address that SES has verified.',
    );
  }

  #rotateSigningKey(): void {
    const worker = rotateSigningKeyWorker;
    new Rule(this, 'KeyRotation', {
      description: worker.doc.summary,
      schedule: Schedule.rate(Duration.days(30)),
      targets: [new InvokeFunction(this.functionOf(worker, worker.doc.summary), { retryAttempts: 2 })],
    });
  }

  /** An hourly schedule continues a pass until it is complete; there is at most one pass a day. */
  #eraseData(): void {
    const worker = eraseDataWorker;
    new Rule(this, 'Erasure', {
      description: worker.doc.summary,
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new InvokeFunction(this.functionOf(worker, worker.doc.summary), { retryAttempts: 0 })],
    });
  }

  #checkLedger(): void {
    const worker = checkLedgerWorker;
    new Rule(this, 'LedgerCheck', {
      description: worker.doc.summary,
      schedule: Schedule.rate(Duration.days(1)),
      targets: [new InvokeFunction(this.functionOf(worker, worker.doc.summary), { retryAttempts: 0 })],
    });
  }

  #deliverNotices(): void {
    const { accounts } = this.props.data.tables;
    const worker = deliverNoticesWorker;
    const deliver = this.functionOf(worker, worker.doc.summary, {}, [readStreamStatement(accounts)]);
    new NoticeDelivery(this, 'NoticeDelivery', { accounts, deliver });
  }
}
