import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useT } from '../../texts/i18n.ts';
import { Button, Dialog, Note, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

/** A button that sends one message to the platform, and shows what that answers. */
export function TestMessage({ id, name, type }: { id: string; name: string; type: string }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [to, setTo] = useState('');
  const send = useAction(
    async () => (await dataOf(api.POST('/api/v1/channels/{id}/test', { params: { path: { id } }, body: { to } }))).data,
  );
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('channels.test')}</Button>
      {isOpen && (
        <Dialog title={`${t('channels.test')} · ${name}`} onClose={() => setOpen(false)}>
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              send.mutate();
            }}
          >
            <TextField
              label={t('channels.testTo')}
              hint={t('channels.testHint', { type })}
              required
              maxLength={500}
              value={to}
              onChange={({ target }) => setTo(target.value)}
            />
            <Button type="submit" look="main" disabled={send.isPending}>
              {t('channels.testSend')}
            </Button>
            <ProblemNote error={send.error} />
            {send.data && (
              <Note tone={send.data.delivered ? 'good' : 'bad'} role="status">
                {send.data.delivered
                  ? t('channels.testDelivered')
                  : [t('channels.testRefused'), send.data.code, send.data.detail].filter(Boolean).join(' ')}
              </Note>
            )}
          </form>
        </Dialog>
      )}
    </>
  );
}
