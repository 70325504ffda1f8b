import {
  AppWindow,
  BookOpen,
  House,
  Library,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  ScanText,
  SquareTerminal,
  UserRound,
  Workflow,
} from 'lucide-react';
import type { NAVIGATION } from './navigation.ts';

type Destination = (typeof NAVIGATION)[number]['to'];

const ICONS: Readonly<Record<Destination, LucideIcon>> = {
  '/': House,
  '/read': ScanText,
  '/extractions': ListChecks,
  '/applications': AppWindow,
  '/knowledge': Library,
  '/workflows': Workflow,
  '/channels': MessagesSquare,
  '/sandbox': SquareTerminal,
  '/account': UserRound,
  '/guides': BookOpen,
};

export function NavigationIcon({ to }: { to: Destination }) {
  const Icon = ICONS[to];
  return <Icon aria-hidden="true" className="size-4 shrink-0" />;
}
