import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterEach } from 'vitest';
import { FileMailer } from '../../../functions/adapters/mail/file-mailer.ts';
import { SesMailer } from '../../../functions/adapters/mail/ses-mailer.ts';
import { SmtpMailer } from '../../../functions/adapters/mail/smtp-mailer.ts';
import { describeMailer, type MailerUnderTest } from '../../helpers/mailer-contract.ts';

const FROM = 'alerts@tripod.example';
const directories: string[] = [];
const servers: (Server | TcpServer)[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

describeMailer('FileMailer', async (): Promise<MailerUnderTest> => {
  const directory = await mkdtemp(join(tmpdir(), 'tripod-mailer-'));
  directories.push(directory);
  const mails = join(directory, 'mails');
  return {
    mailer: new FileMailer(mails, FROM),
    from: FROM,
    knowsIds: true,
    async accepted() {
      const names = await readdir(mails).catch(() => []);
      return Promise.all(names.map((name) => readFile(join(mails, name))));
    },
    /** No mail can be put into a file. */
    async refuse(refuses) {
      await rm(mails, { recursive: true, force: true });
      if (refuses) await writeFile(mails, '');
      else await mkdir(mails);
    },
  };
});

/** The call `SendEmail` of SES as the real SDK makes it, against a server that accepts or refuses. */
describeMailer('SesMailer', async (): Promise<MailerUnderTest> => {
  const messages: Buffer[] = [];
  let refuses = false;
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { FromEmailAddress: string; Content: { Raw: { Data: string } } };
    response.setHeader('content-type', 'application/json');
    if (refuses) return response.writeHead(400, { 'x-amzn-errortype': 'MessageRejected' }).end('{"message":"no"}');
    messages.push(Buffer.from(body.Content.Raw.Data, 'base64'));
    return response.end(JSON.stringify({ MessageId: String(messages.length) }));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new SESv2Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'ap-northeast-2',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  });
  return {
    mailer: new SesMailer(client, FROM),
    from: FROM,
    knowsIds: false,
    accepted: async () => messages,
    refuse: async (now) => {
      refuses = now;
    },
  };
});

/** The conversation of SMTP (RFC 5321), against a relay that accepts or refuses senders. */
describeMailer('SmtpMailer', async (): Promise<MailerUnderTest> => {
  const messages: Buffer[] = [];
  let refuses = false;
  const server = createTcpServer((socket) => {
    const reply = (line: string) => socket.write(`${line}\r\n`);
    let data: string[] | null = null;
    reply('220 relay');
    createInterface(socket).on('line', (line) => {
      if (data === null) {
        const command = line.slice(0, 4).toUpperCase();
        if (command === 'DATA') data = [];
        if (command === 'QUIT') return socket.end('221 bye\r\n');
        return reply(command === 'DATA' ? '354 go on' : command === 'MAIL' && refuses ? '550 no' : '250 ok');
      }
      if (line !== '.') return data.push(line.replace(/^\.\./, '.'));
      messages.push(Buffer.from(data.map((each) => `${each}\r\n`).join('')));
      data = null;
      return reply('250 taken');
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    mailer: new SmtpMailer(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, FROM),
    from: FROM,
    knowsIds: false,
    accepted: async () => messages,
    refuse: async (now) => {
      refuses = now;
    },
  };
});
