import { listField, objectField, textField } from '../../graph/fields.ts';
import type { JsonObject } from '../../graph/graph.ts';
import { type ImportNote, noteOf } from '../import-note.ts';
import { noted } from '../note-texts.ts';

const MAX_QUOTED = 300;

/** Functions around a conversation that a graph cannot hold. */
const SWITCHES = [
  'suggested_questions_after_answer',
  'speech_to_text',
  'text_to_speech',
  'sensitive_word_avoidance',
  'annotation_reply',
  'more_like_this',
] as const;

/** Notes on the switched-on functions of an application that are not a part of its graph. */
export function featureNotes(features: JsonObject): readonly ImportNote[] {
  const opening = textField(features, 'opening_statement').trim();
  const questions = listField(features, 'suggested_questions')
    .map(String)
    .filter((text) => text.trim() !== '');
  const external = listField(features, 'external_data_tools').length;
  const phrases = [
    opening !== '' && noted('opening_statement', { text: quoted(opening) }),
    questions.length > 0 && noted('suggested_questions', { questions: questions.map(quoted).join(', ') }),
    external > 0 && noted('external_data_tools'),
    ...SWITCHES.map((name) => objectField(features, name).enabled === true && noted(name)),
  ];
  return phrases
    .filter((phrase) => phrase !== false)
    .map((phrase) => noteOf(phrase, { kind: 'feature', nodeId: null, type: 'app', title: 'features' }));
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}
