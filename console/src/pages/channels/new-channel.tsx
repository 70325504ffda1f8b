import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useT } from '../../texts/i18n.ts';
import { Button, buttonClass, Note, Select, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Copyable } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-action.ts';

/** The settings and secrets of each platform, as in its guide. */
const PLATFORMS = {
  slack: { secrets: ['signing_secret', 'bot_token'], settings: [] },
  discord: { secrets: ['public_key', 'bot_token'], settings: [] },
  telegram: { secrets: ['bot_token', 'secret_token'], settings: [] },
  line: { secrets: ['channel_secret', 'channel_access_token'], settings: [] },
  teams: { secrets: ['app_password'], settings: ['app_id', 'tenant_id'] },
  whatsapp: { secrets: ['app_secret', 'verify_token', 'access_token'], settings: ['phone_number_id'] },
  custom: { secrets: ['signing_secret'], settings: ['url'] },
} as const;
type Platform = keyof typeof PLATFORMS;

export function NewChannel() {
  const t = useT();
  const [type, setType] = useState<Platform>('telegram');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { data: applications } = useQuery({
    queryKey: ['applications', 'choice'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/applications', { params: { query: { limit: 100 } } }))).data.applications,
  });
  const application = chosen || (applications?.[0]?.id ?? '');
  const { secrets, settings } = PLATFORMS[type];
  const given = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((each) => (values[each] ? [[each, values[each]]] : [])));
  const create = useAction(
    async () =>
      (
        await dataOf(
          api.POST('/api/v1/channels', {
            body: {
              name,
              type,
              application_id: application,
              secrets: given(secrets) as Record<string, string>,
              settings: given(settings),
            },
          }),
        )
      ).data,
    ['channels'],
  );
  const hasNone = applications?.length === 0;
  return (
    <form
      className="card flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <h2 className="font-semibold">{t('channels.connect')}</h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={t('channels.platform')}
          value={type}
          onChange={({ target }) => setType(target.value as Platform)}
        >
          {Object.keys(PLATFORMS).map((platform) => (
            <option key={platform}>{platform}</option>
          ))}
        </Select>
        <Select
          label={t('channels.application')}
          value={application}
          onChange={({ target }) => setChosen(target.value)}
        >
          {applications?.map(({ id, name: title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
        <TextField
          label={t('common.name')}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {[...secrets, ...settings].map((field) => (
          <TextField
            key={field}
            label={field}
            type={(secrets as readonly string[]).includes(field) ? 'password' : 'text'}
            autoComplete="off"
            required={field !== 'bot_token' || type !== 'discord'}
            value={values[field] ?? ''}
            onChange={({ target }) => setValues({ ...values, [field]: target.value })}
          />
        ))}
      </div>
      <Link
        to="/guides/$"
        params={{ _splat: `channels/${type}.md` }}
        target="_blank"
        className={`${buttonClass()} self-start`}
      >
        {t('channels.stepsFor', { type })}
      </Link>
      {hasNone && (
        <Note tone="warn">
          {t('channels.needsApplication')}{' '}
          <Link to="/applications" className="underline">
            {t('nav.applications')}
          </Link>
        </Note>
      )}
      <ProblemNote error={create.error} />
      {create.data && (
        <Note tone="good" role="status">
          {t('channels.created')}
          <Copyable text={create.data.webhook_url} />
        </Note>
      )}
      <Button type="submit" look="main" className="self-start" disabled={create.isPending || hasNone}>
        {t('channels.connect')}
      </Button>
    </form>
  );
}
