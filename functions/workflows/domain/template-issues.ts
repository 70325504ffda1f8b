import type { JobCaller } from '../../shared/ports/job-caller.ts';
import type { TemplateSyntax } from './effects/effect-ports.ts';
import { listField, textField } from './graph/fields.ts';
import { type Graph, type GraphNode, isObject, type JsonObject, RESERVED_IDS } from './graph/graph.ts';
import { type GraphIssue, ofNode, warning, withTitles } from './graph/graph-issue.ts';
import { said } from './graph/issue-texts.ts';
import { objectsIn } from './graph/template-names.ts';

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
  for (const { id, field, template, syntax, inputs } of graph.nodes.flatMap(templatesOf)) {
    for (const name of objectsIn(template))
      if (isSource(name, graph) && !Object.hasOwn(inputs, name)) issues.push(unseen({ id, field }, name, graph));
    const fault = await templates.faultOf(template, syntax, caller);
    if (fault !== null)
      issues.push(
        ofNode(id, field, said('template_faulty', { syntax: syntax === 'jinja2' ? 'Jinja2' : 'Liquid', fault })),
      );
  }
  return issues.map(withTitles(graph.nodes));
}

function isSource(name: string, { nodes }: Graph): boolean {
  return RESERVED_IDS.includes(name) || nodes.some(({ id }) => id === name);
}

/** Values of a node that a template does not see. They are empty in Dify, too. */
function unseen(place: Pick<FoundTemplate, 'id' | 'field'>, name: string, { settings }: Graph): GraphIssue {
  const example = `{"value": "{{${name}.…}}"}`;
  const issue = ofNode(place.id, place.field, said('template_blind', { name, example }));
  return settings.textStyle === 'dify' ? warning(issue) : issue;
}

interface FoundTemplate {
  readonly id: string;
  readonly field: string;
  readonly template: string;
  readonly syntax: TemplateSyntax;
  readonly inputs: JsonObject;
}

function templatesOf({ id, type, config, inputs }: GraphNode): readonly FoundTemplate[] {
  if (type === 'template') {
    const syntax = config.syntax === 'jinja2' ? 'jinja2' : 'liquid';
    return [{ id, field: 'config.template', template: textField(config, 'template'), syntax, inputs } as const];
  }
  if (type !== 'agent') return [];
  return listField(config, 'messages')
    .filter(isObject)
    .flatMap((message, index) => {
      const template = textField(message, 'template');
      return template === ''
        ? []
        : [{ id, field: `config.messages.${index}.template`, template, syntax: 'jinja2', inputs } as const];
    });
}
