import { useState } from 'react';
import { useT } from '../texts/i18n.ts';
import { Button, Dialog } from './controls.tsx';

/** A button whose act cannot be undone: it asks first. */
export function ConfirmedButton({
  label,
  question,
  disabled,
  onConfirm,
}: {
  label: string;
  question: string;
  disabled?: boolean;
  onConfirm: () => void;
}) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="danger" disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={label} onClose={() => setOpen(false)}>
          <p className="mb-3 [overflow-wrap:anywhere]">{question}</p>
          <div className="flex gap-2">
            <Button
              look="danger"
              onClick={() => {
                setOpen(false);
                onConfirm();
              }}
            >
              {label}
            </Button>
            <Button onClick={() => setOpen(false)}>{t('common.cancel')}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
