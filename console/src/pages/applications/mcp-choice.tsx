import type { Schemas } from '../../api/openapi.d.ts';
import { useT } from '../../texts/i18n.ts';
import { TextField } from '../../ui/controls.tsx';

type Member = Schemas['Application']['config']['mcp'];

/** Whether other agents may ask the application as a tool, and what they read about it. */
export interface Shared {
  readonly enabled: boolean;
  readonly description: string;
}

export function McpChoice({ value, onChange }: { value: Shared; onChange: (value: Shared) => void }) {
  const t = useT();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm font-medium">{t('applications.mcp')}</legend>
      <p className="text-sm text-muted">{t('applications.mcpText', { address: `${location.origin}/mcp` })}</p>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={value.enabled}
          onChange={({ target }) => onChange({ ...value, enabled: target.checked })}
        />
        {t('applications.mcpOn')}
      </label>
      {value.enabled && (
        <TextField
          label={t('applications.mcpDescription')}
          maxLength={1000}
          value={value.description}
          onChange={({ target }) => onChange({ ...value, description: target.value })}
        />
      )}
    </fieldset>
  );
}

/** The member as it is stored: a name that the API has set is kept. */
export function sharedMember(before: Member, { enabled, description }: Shared): Member {
  return { name: before.name, enabled, description: description.trim() || null };
}
