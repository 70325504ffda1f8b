import { listField, objectField, textField } from '../../graph/fields.ts';
import type { JsonObject } from '../../graph/graph.ts';
import type { ImportNote } from '../import-note.ts';

const MAX_QUOTED = 300;

/** Functions around a conversation that a graph cannot hold. */
const SWITCHES: Readonly<Record<string, string>> = {
  suggested_questions_after_answer:
    'Suggested questions after an answer have no counterpart. Have an agent write them into the answer.',
  speech_to_text: 'Speech to text has no counterpart: clients send text.',
  text_to_speech: 'Text to speech has no counterpart: answers are text.',
  sensitive_word_avoidance:
    'The check for sensitive words has no counterpart. Put a condition or a classifier before the agent, and one behind it.',
  annotation_reply:
    'Replies by annotations have no counterpart. Put the questions and answers into a knowledge base of the workspace.',
  more_like_this: '"More like this" has no counterpart: a client sends its message again.',
};

/** Notes on the switched-on functions of an application that are no part of its graph. */
export function featureNotes(features: JsonObject): readonly ImportNote[] {
  const opening = textField(features, 'opening_statement').trim();
  const questions = listField(features, 'suggested_questions')
    .map(String)
    .filter((text) => text.trim() !== '');
  const external = listField(features, 'external_data_tools').length;
  const messages = [
    opening &&
      `Its opening statement is shown by clients: set data-greeting of the embedded chatbot to ${quoted(opening)}.`,
    questions.length > 0 && `Its suggested questions are shown by clients: ${questions.map(quoted).join(', ')}.`,
    external > 0 &&
      'Its external data tools have no counterpart. Put http_request nodes before the agent, and name their outputs in its prompt.',
    ...Object.entries(SWITCHES).map(([name, message]) => objectField(features, name).enabled === true && message),
  ];
  return messages
    .filter((message) => typeof message === 'string' && message !== '')
    .map(
      (message): ImportNote => ({
        kind: 'feature',
        nodeId: null,
        type: 'app',
        title: 'features',
        message: String(message),
      }),
    );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}
