import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { RestrictedCall } from '../../app/permissions.ts';
import { time, useT } from '../../texts/i18n.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { ConfirmedButton } from '../../ui/confirm.tsx';
import { Badge, Button, buttonClass, Loading, Note, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { Copyable, ShownOnce } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Sessions } from './sessions.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

const QUERY = ['second-factor'] as const;

/** The second factor of the person, and whether the workspace requires one. */
export function Security({ may }: { may: (call: RestrictedCall) => boolean }) {
  const t = useT();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { data, error } = useQuery({
    queryKey: QUERY,
    queryFn: async () => (await dataOf(api.GET('/api/v1/auth/second-factor'))).data,
  });
  if (error) return <ProblemNote error={error} />;
  if (!data) return <Loading />;
  const { is_on, is_required, confirmed_at, recovery_codes_left } = data;
  return (
    <div className="flex flex-col gap-4">
      {codes.length > 0 && <ShownOnce label={t('security.recoveryCodes')} secret={codes.join('\n')} />}
      <SettingsSection
        title={t('security.title')}
        badge={<Badge tone={is_on ? 'good' : 'warn'}>{t(is_on ? 'security.isOn' : 'security.isOff')}</Badge>}
        text={
          is_on && confirmed_at
            ? t('security.on', { since: time(confirmed_at), left: recovery_codes_left })
            : t('security.off')
        }
      >
        {is_required && !is_on && <Note tone="warn">{t('security.required')}</Note>}
        {is_on ? <Manage onCodes={setCodes} isRequired={is_required} /> : <Enrol onCodes={setCodes} />}
      </SettingsSection>
      {/* Without a second factor that the workspace requires, nothing else may be called. */}
      {(is_on || !is_required) && <Sessions />}
      <SettingsSection title={t('security.passwordTitle')} text={t('security.passwordText')}>
        <Link to="/forgot-password" className={`${buttonClass()} self-start`}>
          {t('security.changePassword')}
        </Link>
      </SettingsSection>
      {may('PATCH /api/v1/workspace') && is_on && <Requirement isRequired={is_required} />}
      {may('PUT /api/v1/workspace/sso') && <SingleSignOn />}
    </div>
  );
}

function Enrol({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const t = useT();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useAction(async () => {
    const body = { current_password: password };
    return (await dataOf(api.POST('/api/v1/auth/second-factor', { body }))).data;
  });
  const confirm = useAction(async () => {
    const { data } = await dataOf(api.POST('/api/v1/auth/second-factor/confirm', { body: { code } }));
    onCodes(data.recovery_codes);
  }, QUERY);
  if (!begin.data)
    return (
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          begin.mutate();
        }}
      >
        <Password value={password} onChange={setPassword} />
        <ProblemNote error={begin.error} />
        <Button type="submit" look="main" className="self-start" disabled={begin.isPending}>
          {t('security.enrol')}
        </Button>
      </form>
    );
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <p>{t('security.scan')}</p>
      <QrCode text={begin.data.otpauth_uri} label={t('security.qrCode')} />
      <p className="text-sm">{t('security.secret')}</p>
      <Copyable text={begin.data.secret} />
      <CodeField value={code} onChange={setCode} />
      <ProblemNote error={confirm.error} />
      <Button type="submit" look="main" className="self-start" disabled={confirm.isPending}>
        {t('security.confirm')}
      </Button>
    </form>
  );
}

function Manage({ onCodes, isRequired }: { onCodes: (codes: readonly string[]) => void; isRequired: boolean }) {
  const t = useT();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const replace = useAction(async () => {
    const { data } = await dataOf(api.POST('/api/v1/auth/second-factor/recovery-codes', { body: { code } }));
    onCodes(data.recovery_codes);
    setCode('');
  }, QUERY);
  const disable = useAction(async () => {
    await dataOf(api.POST('/api/v1/auth/second-factor/disable', { body: { current_password: password, code } }));
    onCodes([]);
  }, QUERY);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        replace.mutate();
      }}
    >
      <CodeField value={code} onChange={setCode} />
      <Button type="submit" className="self-start" disabled={replace.isPending}>
        {t('security.replace')}
      </Button>
      {!isRequired && (
        <>
          <Password value={password} onChange={setPassword} isOptional />
          <ConfirmedButton
            label={t('security.disable')}
            question={t('security.disableQuestion')}
            disabled={disable.isPending || password === '' || code === ''}
            onConfirm={() => disable.mutate()}
          />
        </>
      )}
      <ProblemNote error={replace.error ?? disable.error} />
    </form>
  );
}

function Requirement({ isRequired }: { isRequired: boolean }) {
  const t = useT();
  const change = useAction(
    () => dataOf(api.PATCH('/api/v1/workspace', { body: { require_second_factor: !isRequired } })),
    [...QUERY, 'workspace'],
  );
  return (
    <SettingsSection
      title={t('security.everyMember')}
      text={t(isRequired ? 'security.isRequired' : 'security.isNotRequired')}
    >
      <ProblemNote error={change.error} />
      <Button className="self-start" disabled={change.isPending} onClick={() => change.mutate()}>
        {t(isRequired ? 'security.stopRequiring' : 'security.require')}
      </Button>
    </SettingsSection>
  );
}

interface PasswordProps {
  value: string;
  onChange: (password: string) => void;
  isOptional?: boolean;
}

function Password({ value, onChange, isOptional = false }: PasswordProps) {
  const t = useT();
  return (
    <TextField
      label={t('security.password')}
      type="password"
      autoComplete="current-password"
      required={!isOptional}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
