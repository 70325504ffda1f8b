import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../texts/i18n.ts';
import { Button, TextField } from './controls.tsx';
import { ProblemNote } from './problem-note.tsx';

/** A card that makes something by its name. @param label of the name's field */
export function NameForm({ label, create }: { label: string; create: UseMutationResult<unknown, Error, string> }) {
  const t = useT();
  const [name, setName] = useState('');
  return (
    <form
      className="card flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(name, { onSuccess: () => setName('') });
      }}
    >
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          label={label}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Button type="submit" look="main" disabled={create.isPending}>
        {t('common.create')}
      </Button>
      <div className="basis-full empty:hidden">
        <ProblemNote error={create.error} />
      </div>
    </form>
  );
}
