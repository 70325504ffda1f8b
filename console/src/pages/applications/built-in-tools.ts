/** Tools that every workspace has. */
export const BUILT_IN_TOOLS = [
  ...['knowledge', 'read_drug_table', 'code_interpreter', 'chart', 'markdown_to_docx', 'markdown_to_pdf'],
  ...['web_fetch', 'web_search', 'time'],
] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];
