import type { JobCaller } from '../../shared/ports/job-caller.ts';
import type { TemplateSyntax } from './effects/effect-ports.ts';
import { listField, textField } from './graph/fields.ts';
import { type Graph, type GraphNode, isObject } from './graph/graph.ts';
import { type GraphIssue, ofNode, withTitles } from './graph/graph-issue.ts';

/** Reads templates without filling them. */
export interface TemplateChecks {
  /** @returns its syntax error, or null. */
  faultOf(template: string, syntax: TemplateSyntax, caller: JobCaller): Promise<string | null>;
}

/** Templates that no run could fill. */
export async function templateIssues(
  graph: Graph,
  templates: TemplateChecks,
  caller: JobCaller,
): Promise<readonly GraphIssue[]> {
  const issues: GraphIssue[] = [];
  for (const { id, field, template, syntax } of graph.nodes.flatMap(templatesOf)) {
    const fault = await templates.faultOf(template, syntax, caller);
    if (fault !== null)
      issues.push(
        ofNode(id, field, `is no ${syntax === 'jinja2' ? 'Jinja2' : 'Liquid'} template: ${fault}. Correct it.`),
      );
  }
  return issues.map((issue) => withTitles(issue, graph.nodes));
}

interface FoundTemplate {
  readonly id: string;
  readonly field: string;
  readonly template: string;
  readonly syntax: TemplateSyntax;
}

function templatesOf({ id, type, config }: GraphNode): readonly FoundTemplate[] {
  if (type === 'template') {
    const syntax = config.syntax === 'jinja2' ? 'jinja2' : 'liquid';
    return [{ id, field: 'config.template', template: textField(config, 'template'), syntax } as const];
  }
  if (type !== 'agent') return [];
  return listField(config, 'messages')
    .filter(isObject)
    .flatMap((message, index) => {
      const template = textField(message, 'template');
      return template === ''
        ? []
        : [{ id, field: `config.messages.${index}.template`, template, syntax: 'jinja2' } as const];
    });
}
