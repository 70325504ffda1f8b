import { useState } from 'react';
import { useT } from '../texts/i18n.ts';
import { Button, Dialog } from './controls.tsx';

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  label,
  question,
  onConfirm,
  onClose,
}: {
  label: string;
  question: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const t = useT();
  return (
    <Dialog title={label} onClose={onClose}>
      <p className="mb-4 [overflow-wrap:anywhere]">{question}</p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button
          look="danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {label}
        </Button>
      </div>
    </Dialog>
  );
}

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
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="danger" disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog label={label} question={question} onConfirm={onConfirm} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
