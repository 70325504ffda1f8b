import { useT } from '../../texts/i18n.ts';
import { BUILT_IN_TOOLS, type BuiltInTool } from './built-in-tools.ts';

/** Tools that the model may call. Tools of other kinds are made by the API, and are only shown. */
export function ToolChoice({
  chosen,
  others,
  canCall,
  onChange,
}: {
  chosen: readonly BuiltInTool[];
  others: readonly { readonly name: string; readonly type: string }[];
  /** Whether the chosen provider has models that call tools. */
  canCall: boolean;
  onChange: (tool: BuiltInTool, isOn: boolean) => void;
}) {
  const t = useT();
  return (
    <fieldset disabled={others.length > 0 || !canCall}>
      <legend className="text-sm font-medium">{t('applications.tools')}</legend>
      {!canCall && <p className="text-sm text-muted">{t('applications.needsModel')}</p>}
      {BUILT_IN_TOOLS.map((type) => (
        <label key={type} className={`flex items-center gap-2 ${canCall ? '' : 'text-muted'}`}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={({ target }) => onChange(type, target.checked)}
          />
          {t(`applications.tool.${type}`)}
        </label>
      ))}
      {others.map(({ name, type }) => (
        <p key={name} className="text-sm text-muted">
          {type}: {name}
        </p>
      ))}
    </fieldset>
  );
}
