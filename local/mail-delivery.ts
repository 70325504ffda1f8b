import { join } from 'node:path';
import { deliverNoticesWorker } from '../functions/accounts/workers.ts';
import { aroundHandler } from '../gateway/around-handler.ts';
import { type Repeating, repeat } from './repeating.ts';

/** Short: who tries the alert out looks into the folder right after the call. */
const PAUSE_MS = 1000;

/**
 * Replaces the stream and the schedule that run the worker on AWS, and reports every mail that is a file in the terminal.
 * @param options.showsLinks with its link, to be copied: only its developer reads this terminal.
 */
export function deliverMails(mailDirectory: string, { showsLinks }: { readonly showsLinks: boolean }): Repeating {
  return repeat(
    async () => {
      // Only now: the module reads the environment, which the service has just made.
      const { handler } = await import('../functions/accounts/handlers/deliver-notices.ts');
      const deliver = aroundHandler(deliverNoticesWorker.id, handler);
      const { delivered } = await deliver();
      if (!process.env.SMTP_URL)
        for (const { id, to, subject, text } of delivered) {
          const link = showsLinks ? /https?:\/\/\S+#token=\S+/.exec(text)?.[0] : undefined;
          const lines = [
            `Mail to ${to.join(', ')}: ${subject}`,
            join(mailDirectory, `${id}.eml`),
            ...(link ? [link] : []),
          ];
          console.log(lines.join('\n  '));
        }
    },
    { firstAfterMs: PAUSE_MS, pauseMs: PAUSE_MS },
  );
}
