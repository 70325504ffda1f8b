import { useState } from 'react';
import { useLanguage, useT } from '../../texts/i18n.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { newSecret, type PlatformField, type PlatformName, platformOf } from './platforms.ts';

/** A value that a platform gives or takes, with the way to it there. */
export function PlatformValue({
  platform,
  field: { name, isSecret, label, where, chosen, hint, isOptional },
  value,
  onChange,
}: {
  platform: PlatformName;
  field: PlatformField;
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useT();
  const language = useLanguage();
  const [isShown, setShown] = useState(false);
  const { title, site } = platformOf(platform);
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={label[language]}
          hint={
            <>
              {where && (
                <>
                  {site && (
                    <a href={site} target="_blank" rel="noreferrer" className="text-accent underline">
                      {title}
                    </a>
                  )}
                  {': '}
                  <span lang="en">{where.join(' › ')}</span>
                </>
              )}
              {chosen && t('channels.chooseSecret')} {hint?.[language]}
            </>
          }
          name={name}
          type={isSecret && !isShown ? 'password' : 'text'}
          autoComplete="off"
          required={!isOptional}
          value={value}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      </div>
      {chosen && (
        <Button
          className="mt-6.5"
          onClick={() => {
            onChange(newSecret(chosen));
            setShown(true);
          }}
        >
          {t('channels.newSecret')}
        </Button>
      )}
    </div>
  );
}
