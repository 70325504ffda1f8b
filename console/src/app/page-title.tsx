import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

const PRODUCT = 'Tripod';
/** The heading of the page before is still there when the address changes. */
const SETTLED_MS = 150;

/**
 * Names the window after the heading of the page. When another page is opened, the focus moves to its content and its title is
 * announced, as a browser does for a page that it loads.
 */
export function PageAnnouncement() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const [title, setTitle] = useState('');
  const [announced, setAnnounced] = useState('');
  const former = useRef(path);
  useEffect(() => {
    const read = () => setTitle(headingOf());
    read();
    let frame = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(read);
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);
  useEffect(() => {
    document.title = title === '' ? PRODUCT : `${title} · ${PRODUCT}`;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new heading starts the wait anew.
  useEffect(() => {
    former.current ??= path;
    if (former.current === path) return;
    const timer = setTimeout(() => {
      former.current = path;
      setAnnounced(headingOf());
      focusContent();
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [path, title]);
  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}

/** Leaves the focus where the page itself has put it. */
function focusContent(): void {
  const content = document.getElementById('content');
  if (content === null || content.contains(document.activeElement)) return;
  if (document.querySelector('dialog[open]') === null) content.focus({ preventScroll: true });
}

/** Text of the page's heading without the marks behind its name. */
function headingOf(): string {
  const heading = document.querySelector('main h1, h1');
  return (heading?.querySelector('[data-name]') ?? heading)?.textContent?.trim() ?? '';
}
