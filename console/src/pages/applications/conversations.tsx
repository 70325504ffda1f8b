import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Button } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';

export function Conversations({ id }: { id: string }) {
  const t = useT();
  const [open, setOpen] = useState<string | null>(null);
  const { data, error } = useQuery({
    queryKey: ['conversations', id],
    queryFn: async () =>
      (
        await dataOf(
          api.GET('/api/v1/applications/{id}/conversations', { params: { path: { id }, query: { limit: 20 } } }),
        )
      ).data.conversations,
  });
  return (
    <section className="card flex flex-col gap-2">
      <h2 className="font-semibold">{t('applications.conversations')}</h2>
      <ProblemNote error={error} />
      {data?.length === 0 && <p className="text-muted">{t('applications.noConversations')}</p>}
      <ul className="flex flex-col gap-1 text-sm">
        {data?.map(({ id: conversation, title, caller, updated_at }) => (
          <li key={conversation}>
            <button
              type="button"
              aria-expanded={open === conversation}
              className="w-full rounded-lg px-2 py-1 text-start hover:bg-raised [overflow-wrap:anywhere]"
              onClick={() => setOpen(open === conversation ? null : conversation)}
            >
              {title || '…'}{' '}
              <span className="text-muted">
                · {t(`applications.caller.${caller.kind}`)} · {time(updated_at)}
              </span>
            </button>
            {open === conversation && <Messages id={id} conversation={conversation} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Messages({ id, conversation }: { id: string; conversation: string }) {
  const t = useT();
  const path = { id, conversation_id: conversation };
  const { data, error } = useQuery({
    queryKey: ['messages', conversation],
    queryFn: async () =>
      (
        await dataOf(
          api.GET('/api/v1/applications/{id}/conversations/{conversation_id}/messages', {
            params: { path, query: { limit: 50 } },
          }),
        )
      ).data.messages,
  });
  const rate = useAction(
    async ({ message, rating }: { message: string; rating: 'up' | 'down' | null }) =>
      dataOf(
        api.PUT('/api/v1/applications/{id}/conversations/{conversation_id}/messages/{message_id}/feedback', {
          params: { path: { ...path, message_id: message } },
          body: { rating },
        }),
      ),
    ['messages'],
  );
  return (
    <div className="flex flex-col gap-2 border-s-2 border-line ps-3">
      <ProblemNote error={error ?? rate.error} />
      {data?.map(({ id: message, role, content, rating }) => (
        <div key={`${message} ${role}`}>
          <p className="text-xs text-muted">{t(`applications.role.${role}`)}</p>
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {typeof content === 'string' ? content : JSON.stringify(content)}
          </p>
          {role === 'assistant' && (
            <div className="flex gap-1">
              {(['up', 'down'] as const).map((each) => (
                <Button
                  key={each}
                  aria-pressed={rating === each}
                  aria-label={t(`applications.rate.${each}`)}
                  look={rating === each ? 'main' : 'plain'}
                  onClick={() => rate.mutate({ message, rating: rating === each ? null : each })}
                >
                  {each === 'up' ? '👍' : '👎'}
                </Button>
              ))}
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
