import { koreanFailure } from '../texts/failures.ts';
import { useLanguage } from '../texts/i18n.ts';

const MAX_LENGTH = 500;

/**
 * Why something failed. In Korean the service's own message, which may quote a provider or a program, is a detail.
 * @param isBrief leaves the detail out, for lists.
 */
export function FailureText({
  failure: { code, message },
  isBrief = false,
}: {
  failure: { code: string; message: string };
  isBrief?: boolean;
}) {
  const language = useLanguage();
  const detail = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
  if (language === 'en') return detail;
  if (isBrief) return koreanFailure(code);
  return (
    <>
      {koreanFailure(code)}{' '}
      <code lang="en" className="text-xs [overflow-wrap:anywhere]">
        {detail}
      </code>
    </>
  );
}
