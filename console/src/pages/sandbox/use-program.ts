import { useEffect, useState } from 'react';
import { EXAMPLES, type Language } from './examples.ts';

interface Program {
  readonly language: Language;
  /** By language; absent: the example. */
  readonly codes: Readonly<Partial<Record<Language, string>>>;
  readonly stdin: string;
}

const SAVE_AFTER_MS = 300;
const FIRST: Program = { language: 'python', codes: {}, stdin: '' };

/** The program of each language and its input, kept in this browser. */
export function useProgram(workspaceId: string) {
  const key = `tripod-program ${workspaceId}`;
  const [program, setProgram] = useState(() => stored(key));
  const { language, codes, stdin } = program;
  useEffect(() => {
    if (program === FIRST) return;
    const save = () => localStorage.setItem(key, JSON.stringify(program));
    const timer = setTimeout(save, SAVE_AFTER_MS);
    window.addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [key, program]);
  return {
    language,
    stdin,
    code: codes[language] ?? EXAMPLES[language],
    isExample: (codes[language] ?? EXAMPLES[language]) === EXAMPLES[language],
    choose: (next: Language) => setProgram((now) => ({ ...now, language: next })),
    setStdin: (text: string) => setProgram((now) => ({ ...now, stdin: text })),
    setCode: (code: string) => setProgram((now) => ({ ...now, codes: { ...now.codes, [now.language]: code } })),
  };
}

function stored(key: string): Program {
  try {
    const given: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isProgram(given) ? given : FIRST;
  } catch {
    return FIRST;
  }
}

function isProgram(given: unknown): given is Program {
  if (typeof given !== 'object' || given === null) return false;
  const { language, codes, stdin } = given as Partial<Program>;
  return (
    typeof language === 'string' &&
    Object.hasOwn(EXAMPLES, language) &&
    typeof stdin === 'string' &&
    typeof codes === 'object' &&
    codes !== null &&
    Object.values(codes).every((code) => typeof code === 'string')
  );
}
