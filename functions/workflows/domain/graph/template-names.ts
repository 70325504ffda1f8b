/** Code of a template: between two braces, or a brace and a percent sign. */
const CODE = /\{[{%]([^{}]*)\}/g;
const TEXTS = /"[^"]*"|'[^']*'/g;
const MEMBER = /(?<![\p{L}\p{N}_.-])([\p{L}_][\p{L}\p{N}_-]*)\.[\p{L}_]/gu;
const DECLARED = /\b(?:assign|capture|set|for)\s+([\p{L}_][\p{L}\p{N}_-]*)/gu;

/** Names of objects whose members a template uses, without those that it declares itself. */
export function objectsIn(template: string): ReadonlySet<string> {
  const used = new Set<string>();
  const declared = new Set<string>();
  for (const [, code = ''] of template.matchAll(CODE)) {
    const plain = code.replace(TEXTS, '""');
    for (const [, name = ''] of plain.matchAll(DECLARED)) declared.add(name);
    for (const [, name = ''] of plain.matchAll(MEMBER)) used.add(name);
  }
  return new Set([...used].filter((name) => !declared.has(name)));
}
