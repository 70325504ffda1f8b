import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LoginAuditPorts } from '../../accounts/audit-logins.ts';
import type { ThresholdPorts } from '../../accounts/domain/change-threshold.ts';
import type { DeliveryPorts } from '../../accounts/domain/deliver-notices.ts';
import { type LinkMailPorts, linkMail } from '../../accounts/domain/link-mails.ts';
import type { Mailer } from '../../accounts/domain/mail.ts';
import type { KeyPorts } from '../../accounts/domain/manage-keys.ts';
import type { WorkspacePorts } from '../../accounts/domain/manage-workspace.ts';
import type { TopUpPorts } from '../../accounts/domain/top-up.ts';
import { toProblem } from '../../accounts/http-errors.ts';
import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { DynamoAudit } from '../../adapters/accounts/dynamo-audit.ts';
import { DynamoContacts } from '../../adapters/accounts/dynamo-contacts.ts';
import { DynamoKeyRing } from '../../adapters/accounts/dynamo-key-ring.ts';
import { DynamoLedger } from '../../adapters/accounts/dynamo-ledger.ts';
import { DynamoMembers } from '../../adapters/accounts/dynamo-members.ts';
import { DynamoOutbox } from '../../adapters/accounts/dynamo-outbox.ts';
import { DynamoPasswords } from '../../adapters/accounts/dynamo-passwords.ts';
import { DynamoUsage } from '../../adapters/accounts/dynamo-usage.ts';
import { DynamoUsers } from '../../adapters/accounts/dynamo-users.ts';
import { DynamoWorkspaces } from '../../adapters/accounts/dynamo-workspaces.ts';
import { dynamoClient, newDynamoClient } from '../../adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { memoize } from '../../shared/memoize.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { httpPorts } from '../shared/http.ts';
import { paged } from '../shared/paged.ts';

export const http = { ...httpPorts, toProblem };

export const accounts = memoize(() => new DynamoAccounts(dynamoClient(), accountsTable()));
export const ledger = memoize(() => new DynamoLedger(dynamoClient(), accountsTable()));

/** Entries of the ledger of a workspace, newest first. */
export const ledgerEntries = (workspaceId: string) =>
  paged(
    (limit, before: number | null) => ledger().entries(workspaceId, limit, before),
    ({ sequence }) => sequence,
  );

export const audit = memoize(() => new DynamoAudit(dynamoClient(), accountsTable(), systemClock));

export function auditPorts(): LoginAuditPorts {
  return { audit: audit(), clock: systemClock, ids: ulidIds };
}

export const keyRing = memoize(() => new DynamoKeyRing(dynamoClient(), accountsTable()));

export function keyPorts(): KeyPorts {
  return { ring: keyRing(), random: randomBytes, clock: systemClock, ids: ulidIds, backoff: jitteredBackoff };
}

export const clock = systemClock;

export const usage = memoize(() => {
  const { USAGE_TABLE } = environment('USAGE_TABLE');
  return new DynamoUsage(dynamoClient(), USAGE_TABLE, jitteredBackoff);
});

export function thresholdPorts(): ThresholdPorts {
  return { accounts: accounts(), settings: accounts(), clock: systemClock, ids: ulidIds, backoff: jitteredBackoff };
}

export const workspaces = memoize(() => new DynamoWorkspaces(dynamoClient(), accountsTable()));

export function workspacePorts(): WorkspacePorts {
  return { workspaces: workspaces(), clock: systemClock, ids: ulidIds };
}

export function topUpPorts(): TopUpPorts {
  return { accounts: accounts(), ledger: ledger(), clock: systemClock, ids: ulidIds, backoff: jitteredBackoff };
}

export function deliveryPorts(): DeliveryPorts {
  // A separate client from the requests' one: in local mode this runs in parallel with them.
  const client = newDynamoClient();
  return {
    outbox: new DynamoOutbox(client, accountsTable()),
    contacts: new DynamoContacts(client, accountsTable()),
    linkMail: (notice) => linkMail(notice, linkMailPorts(client)),
    mailer: lazyMailer(),
    clock: systemClock,
  };
}

function linkMailPorts(client: DynamoDBDocumentClient): LinkMailPorts {
  const passwords = new DynamoPasswords(client, accountsTable());
  const workspaces = new DynamoAccounts(client, accountsTable());
  return {
    members: new DynamoMembers(client, accountsTable()),
    users: new DynamoUsers(client, accountsTable()),
    links: passwords,
    workspaceName: async (id) => (await workspaces.nameOf(id)) ?? id,
    clock: systemClock,
    random: randomBytes,
    webUrl: environment('WEB_URL').WEB_URL ?? null,
  };
}

/** SES, a relay, or a folder of files. Loaded with the first mail: most times there is none. */
function lazyMailer(): Mailer {
  const { MAIL_FROM, MAIL_DIR, SMTP_URL } = environment('MAIL_FROM', 'MAIL_DIR', 'SMTP_URL');
  const mailer = memoizeAsync(async (): Promise<Mailer> => {
    if (SMTP_URL !== undefined) {
      const { SmtpMailer } = await import('../../adapters/mail/smtp-mailer.ts');
      return new SmtpMailer(SMTP_URL, MAIL_FROM);
    }
    if (MAIL_DIR !== undefined) {
      const { FileMailer } = await import('../../adapters/mail/file-mailer.ts');
      return new FileMailer(MAIL_DIR, MAIL_FROM);
    }
    const [{ SESv2Client }, { SesMailer }] = await Promise.all([
      import('@aws-sdk/client-sesv2'),
      import('../../adapters/mail/ses-mailer.ts'),
    ]);
    const requestHandler = { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
    return new SesMailer(new SESv2Client({ maxAttempts: 1, requestHandler }), MAIL_FROM);
  });
  return { send: async (mail) => (await mailer()).send(mail) };
}

function accountsTable(): string {
  return environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE;
}
