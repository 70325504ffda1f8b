import type { UseMutationResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../texts/i18n.ts';
import { Button, Dialog, TextField } from './controls.tsx';
import { ProblemNote } from './problem-note.tsx';

/** A button that asks for a name and makes something with it. @param label of the button, and of its dialog */
export function NewByName({ label, create }: { label: string; create: UseMutationResult<unknown, Error, string> }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const close = () => setOpen(false);
  return (
    <>
      <Button look="main" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-4" />
        {label}
      </Button>
      {isOpen && (
        <Dialog title={label} onClose={close}>
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              create.mutate(name, {
                onSuccess: () => {
                  setName('');
                  close();
                },
              });
            }}
          >
            <TextField
              label={t('common.name')}
              required
              autoFocus
              maxLength={100}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <ProblemNote error={create.error} />
            <div className="flex justify-end gap-2">
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button type="submit" look="main" disabled={create.isPending}>
                {t('common.create')}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
