import { useState } from 'react';
import { useT } from '../texts/i18n.ts';
import { Button, Note } from './controls.tsx';

/** A secret that is shown once and cannot be fetched again. */
export function ShownOnce({ label, secret }: { label: string; secret: string }) {
  return (
    <Note tone="good" role="status">
      <p>{label}</p>
      <Copyable text={secret} />
    </Note>
  );
}

export function Copyable({ text }: { text: string }) {
  const t = useT();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <code className="min-w-0 whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">{text}</code>
      <Button
        onClick={() => {
          void navigator.clipboard.writeText(text).then(() => setCopied(true));
        }}
      >
        {isCopied ? t('common.copied') : t('common.copy')}
      </Button>
    </div>
  );
}
