import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useT } from '../../texts/i18n.ts';
import { Button, buttonClass, Note, Select, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Copyable } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-action.ts';
import { PlatformValue } from './platform-value.tsx';
import { PLATFORMS, type PlatformName, platformOf } from './platforms.ts';

export function NewChannel() {
  const t = useT();
  const [type, setType] = useState<PlatformName>('telegram');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { data: applications } = useQuery({
    queryKey: ['applications', 'choice'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/applications', { params: { query: { limit: 100 } } }))).data.applications,
  });
  const application = chosen || (applications?.[0]?.id ?? '');
  const { title: platform, fields } = platformOf(type);
  const given = (areSecret: boolean): Record<string, string> =>
    Object.fromEntries(
      fields.flatMap(({ name: field, isSecret }) =>
        isSecret === areSecret && values[field] ? [[field, values[field]]] : [],
      ),
    );
  const create = useAction(
    async () =>
      (
        await dataOf(
          api.POST('/api/v1/channels', {
            body: {
              name,
              type,
              application_id: application,
              secrets: given(true),
              settings: given(false),
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
          onChange={({ target }) => {
            setType(target.value as PlatformName);
            setValues({});
          }}
        >
          {Object.entries(PLATFORMS).map(([each, { title }]) => (
            <option key={each} value={each}>
              {each === 'custom' ? t('channels.custom') : title}
            </option>
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
        {fields.map((field) => (
          <PlatformValue
            key={`${type} ${field.name}`}
            platform={type}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      </div>
      <Link
        to="/guides/$"
        params={{ _splat: `channels/${type}.md` }}
        target="_blank"
        className={`${buttonClass()} self-start`}
      >
        {t('channels.stepsFor', { type: type === 'custom' ? t('channels.custom') : platform })}
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
