import { join } from 'node:path';
import { deliverNoticesWorker } from '../functions/accounts/workers.ts';
import { aroundHandler } from '../gateway/around-handler.ts';
import { type Repeating, repeat } from './repeating.ts';

/** Short: who tries the alert out looks into the folder right after the call. */
const PAUSE_MS = 1000;

/** Replaces the stream and the schedule that run the worker on AWS, and reports every mail that is a file in the terminal. */
export function deliverMails(mailDirectory: string): Repeating {
  return repeat(
    async () => {
      // Only now: the module reads the environment, which the service has just made.
      const { handler } = await import('../functions/accounts/handlers/deliver-notices.ts');
      const deliver = aroundHandler(deliverNoticesWorker.id, handler);
      const { delivered } = await deliver();
      if (!process.env.SMTP_URL)
        for (const { id, to, subject } of delivered)
          console.log(`Mail to ${to.join(', ')}: ${subject}\n  ${join(mailDirectory, `${id}.eml`)}`);
    },
    { firstAfterMs: PAUSE_MS, pauseMs: PAUSE_MS },
  );
}
