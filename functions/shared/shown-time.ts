/** A time for people to read: in Korean the time of Korea, in English UTC. */
export function shownTime(ms: number, language: 'ko' | 'en'): string {
  const [locale, timeZone] = language === 'ko' ? ['ko-KR', 'Asia/Seoul'] : ['en-GB', 'UTC'];
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return `${new Intl.DateTimeFormat(locale, options).format(ms)}${language === 'ko' ? '(한국 시간)' : ' UTC'}`;
}
