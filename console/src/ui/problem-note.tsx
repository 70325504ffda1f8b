import { Problem } from '../api/problem.ts';
import { useT } from '../texts/i18n.ts';
import { Note } from './controls.tsx';

const IN_WORDS = [0, 400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 503] as const;
type Told = (typeof IN_WORDS)[number];

/** An error: in the person's language with the remedy, and below it the service's message. */
export function ProblemNote({ error }: { error: unknown }) {
  const t = useT();
  if (error === null || error === undefined) return null;
  if (!(error instanceof Problem))
    return (
      <Note tone="bad" role="alert">
        {t('problem.other')}
      </Note>
    );
  const { status, message, fields, retryAfterSeconds } = error;
  const told = IN_WORDS.find((each): each is Told => each === status);
  return (
    <Note tone="bad" role="alert">
      <p className="font-semibold">{told === undefined ? t('problem.other') : t(`problem.s${told}`)}</p>
      {retryAfterSeconds !== null && <p>{t('problem.wait', { seconds: retryAfterSeconds })}</p>}
      {status !== 0 && message !== '' && <p>{message}</p>}
      {Object.entries(fields).map(([field, text]) => (
        <p key={field}>
          {field}: {text}
        </p>
      ))}
    </Note>
  );
}
