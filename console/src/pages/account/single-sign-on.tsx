import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { time, useT } from '../../texts/i18n.ts';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Button, Loading, Note, Select, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { Copyable } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-action.ts';

const QUERY = ['sso'] as const;
const settings = async () => (await dataOf(api.GET('/api/v1/workspace/sso'))).data;
type Settings = Awaited<ReturnType<typeof settings>>;

/** The identity provider of the workspace, for owners. */
export function SingleSignOn() {
  const t = useT();
  const { data, error } = useQuery({
    queryKey: QUERY,
    queryFn: async () => {
      try {
        return await settings();
      } catch (problem) {
        if (problem instanceof Problem && problem.status === 404) return null;
        throw problem;
      }
    },
  });
  if (error) return <ProblemNote error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <SettingsSection title={t('sso.title')} text={t('sso.text')}>
      <div>
        <p className="text-sm">{t('sso.redirect')}</p>
        <Copyable text={`${location.origin}/sso`} />
      </div>
      <Provider key={data?.issuer ?? ''} stored={data} />
      {data && data.domains.length > 0 && <Domains domains={data.domains} />}
      {data && <Remove />}
    </SettingsSection>
  );
}

function Provider({ stored }: { stored: Settings | null }) {
  const t = useT();
  const [issuer, setIssuer] = useState(stored?.issuer ?? '');
  const [clientId, setClientId] = useState(stored?.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [domains, setDomains] = useState(stored?.domains.map(({ domain }) => domain).join(', ') ?? '');
  const [role, setRole] = useState<Settings['default_role']>(stored ? stored.default_role : 'viewer');
  const [isRequired, setRequired] = useState(stored?.required ?? false);
  const save = useAction(async () => {
    const body = {
      ...{ issuer, client_id: clientId, ...(secret !== '' && { client_secret: secret }) },
      domains: domains.split(/[\s,]+/).filter((domain) => domain !== ''),
      ...{ default_role: role, required: isRequired },
    };
    await dataOf(api.PUT('/api/v1/workspace/sso', { body }));
    setSecret('');
  }, QUERY);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextField
        label={t('sso.issuer')}
        hint={t('sso.issuerHint')}
        type="url"
        required
        value={issuer}
        onChange={({ target }) => setIssuer(target.value)}
      />
      <TextField
        label={t('sso.clientId')}
        required
        autoComplete="off"
        value={clientId}
        onChange={({ target }) => setClientId(target.value)}
      />
      <TextField
        label={t('sso.clientSecret')}
        hint={stored ? t('sso.secretKept') : undefined}
        type="password"
        autoComplete="off"
        required={stored === null}
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
      />
      <TextField
        label={t('sso.domains')}
        hint={t('sso.domainsHint')}
        required
        value={domains}
        onChange={({ target }) => setDomains(target.value)}
      />
      <Select
        label={t('sso.role')}
        value={role ?? ''}
        onChange={({ target }) => setRole((target.value || null) as Settings['default_role'])}
      >
        <option value="viewer">{t('role.viewer')}</option>
        <option value="admin">{t('role.admin')}</option>
        <option value="">{t('sso.invitedOnly')}</option>
      </Select>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1"
          checked={isRequired}
          onChange={({ target }) => setRequired(target.checked)}
        />
        <span>{t('sso.required')}</span>
      </label>
      <ProblemNote error={save.error} />
      {save.isSuccess && <p role="status">{t('sso.saved')}</p>}
      <Button type="submit" look="main" className="self-start" disabled={save.isPending}>
        {t('common.save')}
      </Button>
    </form>
  );
}

function Domains({ domains }: { domains: Settings['domains'] }) {
  const t = useT();
  const prove = useAction(() => dataOf(api.POST('/api/v1/workspace/sso/domains/proof')), QUERY);
  const isProved = domains.every(({ proved_at }) => proved_at !== null);
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('sso.proofs')}</h3>
      {!isProved && <Note tone="warn">{t('sso.publish')}</Note>}
      <ul className="flex flex-col gap-3">
        {domains.map(({ domain, proved_at, record_name, record_value }) => (
          <li key={domain} className="flex flex-col gap-1">
            <p>
              {domain}{' '}
              <Badge tone={proved_at === null ? 'warn' : 'good'}>
                {proved_at === null ? t('sso.unproved') : t('sso.provedSince', { since: time(proved_at) })}
              </Badge>
            </p>
            <p className="text-sm [overflow-wrap:anywhere]">TXT {record_name}</p>
            <Copyable text={record_value} />
          </li>
        ))}
      </ul>
      <ProblemNote error={prove.error} />
      {!isProved && (
        <Button className="self-start" disabled={prove.isPending} onClick={() => prove.mutate()}>
          {t('sso.prove')}
        </Button>
      )}
    </div>
  );
}

function Remove() {
  const t = useT();
  const remove = useAction(() => dataOf(api.DELETE('/api/v1/workspace/sso')), QUERY);
  return (
    <div>
      <ProblemNote error={remove.error} />
      <ConfirmedButton
        label={t('sso.remove')}
        question={t('sso.removeQuestion')}
        disabled={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </div>
  );
}
