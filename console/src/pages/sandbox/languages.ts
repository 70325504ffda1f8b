import { StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { Language } from './examples.ts';

export async function languageSupport(language: Language): Promise<Extension> {
  switch (language) {
    case 'python':
      return (await import('@codemirror/lang-python')).python();
    case 'javascript':
    case 'typescript':
      return (await import('@codemirror/lang-javascript')).javascript({ typescript: language === 'typescript' });
    case 'go':
      return StreamLanguage.define((await import('@codemirror/legacy-modes/mode/go')).go);
    case 'ruby':
      return StreamLanguage.define((await import('@codemirror/legacy-modes/mode/ruby')).ruby);
    case 'bash':
      return StreamLanguage.define((await import('@codemirror/legacy-modes/mode/shell')).shell);
  }
}
