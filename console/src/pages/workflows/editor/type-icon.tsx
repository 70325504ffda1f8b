import {
  Bot,
  Braces,
  CircleStop,
  Clock,
  Code,
  FileText,
  GitBranch,
  Globe,
  List,
  type LucideIcon,
  MessageSquare,
  PenLine,
  Play,
  Repeat,
  Search,
  SquareFunction,
  Table,
  Tags,
  TextCursorInput,
  UserCheck,
  Variable,
  Workflow,
  Wrench,
} from 'lucide-react';
import type { NodeType } from './known-nodes.ts';

const ICONS: Readonly<Record<NodeType, LucideIcon>> = {
  start: Play,
  agent: Bot,
  classifier: Tags,
  parameter_extractor: Braces,
  condition: GitBranch,
  approval: UserCheck,
  human_input: TextCursorInput,
  extract: Table,
  code: Code,
  http_request: Globe,
  tool: Wrench,
  knowledge_search: Search,
  template: PenLine,
  variable_assign: Variable,
  assigner: SquareFunction,
  list_operator: List,
  document_extractor: FileText,
  sub_workflow: Workflow,
  iteration: Repeat,
  loop: Clock,
  break: CircleStop,
  answer: MessageSquare,
};

export function TypeIcon({ type }: { type: string }) {
  const Icon = Object.hasOwn(ICONS, type) ? ICONS[type as NodeType] : Braces;
  return <Icon aria-hidden="true" className="size-4 shrink-0 text-accent" />;
}
