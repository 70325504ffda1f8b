/** Whether a bracket is open where a text ends. */
export function endsInOpenBracket(text: string): boolean {
  return text.lastIndexOf('(') > text.lastIndexOf(')');
}
