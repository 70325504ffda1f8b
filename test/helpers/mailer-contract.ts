import { describe, expect, it } from 'vitest';
import type { Mail, Mailer } from '../../functions/accounts/domain/mail.ts';
import { mimeMessage } from '../../functions/adapters/mail/mime-message.ts';

/** A mailer with its real carrier, as a test sees it. */
export interface MailerUnderTest {
  readonly mailer: Mailer;
  readonly from: string;
  /** The carrier knows the ids of mails, so that a repetition is one mail. */
  readonly knowsIds: boolean;
  /** Messages that the carrier has accepted, in any order. */
  accepted(): Promise<readonly Buffer[]>;
  /** From now on the carrier refuses every mail, or accepts them again. */
  refuse(refuses: boolean): Promise<void>;
}

const mail = (id: string): Mail => ({
  id,
  to: ['owner@example.com', 'second@example.com'],
  subject: `[Tripod] 서울 병원: 잔액 1,800원 ${id}`,
  text: '워크스페이스 "서울 병원"\n.\nFrom here on\n끝',
  date: '2026-11-21T03:00:00.000Z',
});

/** The contract of Mailer: run it with each adapter. @param open makes one with an empty carrier. */
export function describeMailer(name: string, open: () => Promise<MailerUnderTest>): void {
  const messages = (from: string, ...mails: readonly Mail[]) =>
    Promise.all(mails.map((each) => mimeMessage(each, from))).then((all) => all.map(String).sort());
  const accepted = async (under: MailerUnderTest) => (await under.accepted()).map(String).sort();

  describe(`${name} as a mailer`, () => {
    it('hands over each mail whole: the carrier has it when `send` returns', async () => {
      const under = await open();
      await under.mailer.send(mail('one'));
      expect(await accepted(under)).toEqual(await messages(under.from, mail('one')));
      await Promise.all([under.mailer.send(mail('two')), under.mailer.send(mail('three'))]);
      expect(await accepted(under)).toEqual(await messages(under.from, mail('one'), mail('two'), mail('three')));
    });

    it('repeats a mail only where the carrier cannot detect it', async () => {
      const under = await open();
      await Promise.all([under.mailer.send(mail('same')), under.mailer.send(mail('same'))]);
      const times = under.knowsIds ? 1 : 2;
      expect(await accepted(under)).toEqual(await messages(under.from, ...Array<Mail>(times).fill(mail('same'))));
    });

    it('fails when the carrier refuses, and the next mail goes out when it accepts again', async () => {
      const under = await open();
      await under.refuse(true);
      await expect(under.mailer.send(mail('refused'))).rejects.toThrow();
      expect(await accepted(under)).toEqual([]);
      await under.refuse(false);
      await under.mailer.send(mail('refused'));
      expect(await accepted(under)).toEqual(await messages(under.from, mail('refused')));
    });
  });
}
