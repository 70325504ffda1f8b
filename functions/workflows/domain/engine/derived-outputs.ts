import { exactJson } from '../graph/exact-json.ts';
import { textField } from '../graph/fields.ts';
import { type GraphNode, isObject, type Json, type JsonObject } from '../graph/graph.ts';

/** Outputs that follow from others: they can be referred to, and are neither recorded nor counted. */
export function withDerivedOutputs({ type }: Pick<GraphNode, 'type'>, outputs: JsonObject): JsonObject {
  if (type === 'http_request' && !Object.hasOwn(outputs, 'body')) {
    const headers = isObject(outputs.headers) ? outputs.headers : {};
    return { ...outputs, body: bodyOf(textField(outputs, 'text'), textField(headers, 'content-type')) };
  }
  if (type === 'sub_workflow') return { ...(isObject(outputs.outputs) && outputs.outputs), ...outputs };
  if (type !== 'tool') return outputs;
  // Members of a tool's result go by their own names, as other builders have them.
  const { result = null } = outputs;
  const json = Array.isArray(result) ? result : isObject(result) ? [result] : [];
  return { ...(isObject(result) && result), json, files: [], ...outputs };
}

/** The shown outputs of a node. */
export function shownOutputs({ type }: Pick<GraphNode, 'type'>, outputs: JsonObject, whole: JsonObject): JsonObject {
  return type === 'http_request' ? whole : outputs;
}

/** JSON where it is declared as JSON, and is some. */
function bodyOf(text: string, contentType: string): Json {
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType)) return text;
  try {
    // A number that is too large for JSON's own is kept as its digits.
    return exactJson(text, (digits) => digits);
  } catch {
    return text;
  }
}
