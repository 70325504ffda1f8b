import { useBlocker } from '@tanstack/react-router';
import { Button, Dialog } from '../../../ui/controls.tsx';
import { useTexts } from './texts.ts';

/** Asks before unsaved changes are left: to another page by a dialog, out of the console by the browser. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const { ui } = useTexts();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title={ui.leave} onClose={reset}>
      <div className="flex gap-2">
        <Button look="main" onClick={reset}>
          {ui.stay}
        </Button>
        <Button look="danger" onClick={proceed}>
          {ui.leaveNow}
        </Button>
      </div>
    </Dialog>
  );
}
