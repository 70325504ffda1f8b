import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { useT } from '../../texts/i18n.ts';
import { showToast } from '../../ui/toasts.tsx';

type Target = Pick<NavigateOptions, 'to' | 'params' | 'search'>;

/** Leads to the result of a reading: at once for a person who still waits on its page, by a notice for one who has left it. */
export function useArrival(page: string) {
  const t = useT();
  const router = useRouter();
  const waits = () => router.state.location.pathname === page;
  return {
    async done(target: Target): Promise<void> {
      if (waits()) await router.navigate(target);
      else
        showToast({
          text: t(target.to === '/read' ? 'read.started' : 'read.finished'),
          tone: 'good',
          link: { text: t('read.open'), ...target },
        });
    },
    /** On its own page the error is shown there. */
    failed(error: Error): void {
      if (!waits()) showToast({ text: `${t('read.failed')} ${error.message}`, tone: 'bad' });
    },
  };
}
