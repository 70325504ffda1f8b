import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import type { RestrictedCall } from '../../app/permissions.ts';
import { useT } from '../../texts/i18n.ts';
import { Button, Loading, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { useAction } from '../../ui/use-action.ts';

const SWITCHES = ['keep_images', 'keep_no_images', 'mask_resident_numbers'] as const;

/** How the data of the workspace is kept. */
export function Data({ may }: { may: (call: RestrictedCall) => boolean }) {
  const { data, error } = useQuery({
    queryKey: ['workspace'],
    queryFn: async () => (await dataOf(api.GET('/api/v1/workspace'))).data,
  });
  if (error) return <ProblemNote error={error} />;
  if (!data) return <Loading />;
  return <Settings workspace={data} mayChange={may('PATCH /api/v1/workspace')} />;
}

function Settings({ workspace, mayChange }: { workspace: Schemas['Workspace']; mayChange: boolean }) {
  const t = useT();
  const [days, setDays] = useState(String(workspace.retention_days));
  const [switches, setSwitches] = useState(() =>
    Object.fromEntries(SWITCHES.map((name) => [name, workspace[name]] as const)),
  );
  const save = useAction(
    () => dataOf(api.PATCH('/api/v1/workspace', { body: { retention_days: Number(days), ...switches } })),
    ['workspace'],
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <SettingsSection
        title={t('account.data')}
        text={
          <Link to="/guides/$" params={{ _splat: 'personal-data.md' }} className="text-accent underline">
            {t('account.personalData')}
          </Link>
        }
      >
        <fieldset disabled={!mayChange} className="flex flex-col gap-4">
          <legend className="sr-only">{t('account.data')}</legend>
          <TextField
            label={t('account.retention')}
            hint={t('account.retentionHint')}
            type="number"
            min={0}
            max={30}
            required
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
          {SWITCHES.map((name) => (
            <label key={name} className="flex items-start gap-2 text-sm">
              <input
                type="checkbox"
                className="mt-1"
                checked={switches[name] ?? false}
                onChange={({ target }) => setSwitches({ ...switches, [name]: target.checked })}
              />
              <span>
                {t(`account.keep.${name}`)}
                <span className="block text-muted">{t(`account.keepHint.${name}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <ProblemNote error={save.error} />
        {save.isSuccess && <p role="status">{t('account.saved')}</p>}
        {mayChange && (
          <Button type="submit" look="main" className="self-start" disabled={save.isPending}>
            {t('common.save')}
          </Button>
        )}
      </SettingsSection>
    </form>
  );
}
