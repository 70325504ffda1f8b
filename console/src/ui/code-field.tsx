import { useT } from '../texts/i18n.ts';
import { TextField } from './controls.tsx';

/** A code of an authenticator app, or a recovery code. */
export function CodeField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const t = useT();
  return (
    <TextField
      label={t('security.code')}
      hint={t('security.codeHint')}
      autoComplete="one-time-code"
      required
      maxLength={40}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
