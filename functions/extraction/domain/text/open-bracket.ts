/** Whether a bracket is open where a text ends. */
export function endsInOpenBracket(text: string): boolean {
  return text.lastIndexOf('(') > text.lastIndexOf(')');
}

/** Whether a text closes a bracket that it does not open. */
export function closesOpenBracket(text: string): boolean {
  let open = 0;
  for (const letter of text) {
    if (letter === '(') open++;
    if (letter === ')') open--;
    if (open < 0) return true;
  }
  return false;
}
