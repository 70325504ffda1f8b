import { useState } from 'react';
import { useLanguage, useT } from '../texts/i18n.ts';
import { Button } from './controls.tsx';

const SHOWN_MS = 2_000;

/** Code with a button that copies it. */
export function CodeBlock({ code }: { code: string }) {
  const t = useT();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <div className="group relative">
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <Button
        className="absolute end-2 top-2 !min-h-0 !px-2 !py-1 text-xs opacity-70 focus-visible:opacity-100 group-hover:opacity-100"
        onClick={() => void copy()}
      >
        <span aria-live="polite" lang={useLanguage()}>
          {t(isCopied ? 'common.copied' : 'common.copy')}
        </span>
      </Button>
    </div>
  );
}
