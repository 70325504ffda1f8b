import { useQueryClient } from '@tanstack/react-query';
import { chooseLanguage, useLanguage, useT } from '../texts/i18n.ts';
import { applyTheme, type Theme, useTheme } from './theme.ts';

/** Language and colours, which each browser keeps for itself. */
export function SettingsControls() {
  const t = useT();
  const language = useLanguage();
  const theme = useTheme();
  const queries = useQueryClient();
  return (
    <div className="grid grid-cols-2 gap-2 text-sm">
      <select
        aria-label={t('common.language')}
        className="field min-w-0"
        value={language}
        onChange={({ target }) => {
          chooseLanguage(target.value === 'ko' ? 'ko' : 'en');
          // The service writes notes and errors in the language of the page.
          void queries.invalidateQueries();
        }}
      >
        <option value="ko" lang="ko">
          한국어
        </option>
        <option value="en" lang="en">
          English
        </option>
      </select>
      <select
        aria-label={t('common.theme')}
        className="field min-w-0"
        value={theme}
        onChange={({ target }) => applyTheme(target.value as Theme)}
      >
        <option value="system">{t('common.system')}</option>
        <option value="light">{t('common.light')}</option>
        <option value="dark">{t('common.dark')}</option>
      </select>
    </div>
  );
}
