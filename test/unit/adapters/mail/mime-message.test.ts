import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { FileMailer } from '../../../../functions/adapters/mail/file-mailer.ts';
import { mimeMessage } from '../../../../functions/adapters/mail/mime-message.ts';
import { SesMailer } from '../../../../functions/adapters/mail/ses-mailer.ts';
import { readMessage } from '../../../helpers/mime.ts';

const FROM = 'alerts@tripod.example';
const mail = {
  id: 'ws_1-2',
  to: ['owner@example.com', 'second@example.com'],
  subject: `[Tripod] ${'서울 병원 '.repeat(8)}: 잔액 1,800원 / balance 1,800 KRW`,
  text: '워크스페이스 "서울 병원"\n.\nFrom here on\n끝',
  date: '2026-11-21T03:00:00.000Z',
};

it('a message follows RFC 5322 and 2047: short ASCII lines, ended by CRLF, that decode to the original', async () => {
  const bytes = await mimeMessage(mail, FROM);
  const raw = bytes.toString('latin1');
  expect(raw).toMatch(/^[\x20-\x7e\r\n]*$/);
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);

  const { headers, text } = readMessage(bytes);
  expect(text.trimEnd()).toBe(mail.text);
  expect(headers).toMatchObject({
    from: 'Tripod <alerts@tripod.example>',
    to: 'owner@example.com, second@example.com',
    subject: mail.subject,
    date: 'Sat, 21 Nov 2026 03:00:00 +0000',
    'message-id': '<ws_1-2@tripod.example>',
    'auto-submitted': 'auto-generated',
    'mime-version': '1.0',
    'content-type': 'text/plain; charset=utf-8',
  });
});

it('a subject or an address cannot add a header', async () => {
  const { headers } = readMessage(
    await mimeMessage(
      { ...mail, subject: 'a\r\nBcc: x@example.com', to: ['o@example.com\r\nBcc: y@example.com'] },
      FROM,
    ),
  );
  expect(headers).not.toHaveProperty('bcc');
});

it('the file mailer leaves one private file a mail, however often it is sent', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tripod-mail-'));
  try {
    const mailer = new FileMailer(join(directory, 'mail'), FROM);
    await Promise.all([mailer.send(mail), mailer.send(mail)]);
    await mailer.send(mail);
    await mailer.send({ ...mail, id: 'ws_1-9' });
    expect((await readdir(join(directory, 'mail'))).sort()).toEqual(['ws_1-2.eml', 'ws_1-9.eml']);
    const path = join(directory, 'mail', 'ws_1-2.eml');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path)).toEqual(await mimeMessage(mail, FROM));
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('the SES mailer sends the same bytes, from the configured address, to every owner, and fails when SES does', async () => {
  const client = new SESv2Client({ region: 'ap-northeast-2', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  const ses = mockClient(client);
  ses.on(SendEmailCommand).resolvesOnce({ MessageId: '1' }).rejects(new Error('throttled'));
  const mailer = new SesMailer(client, FROM);
  await mailer.send(mail);
  expect(ses.commandCalls(SendEmailCommand)[0]?.args[0].input).toEqual({
    FromEmailAddress: FROM,
    Destination: { ToAddresses: mail.to },
    Content: { Raw: { Data: await mimeMessage(mail, FROM) } },
  });
  await expect(mailer.send(mail)).rejects.toThrow('throttled');
});
