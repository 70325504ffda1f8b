import { type FileValue, isFile } from './files.ts';
import { type Graph, isObject, type Json } from './graph.ts';
import { pythonJson, pythonText } from './python-text.ts';
import { MAX_RESOLVED_LENGTH, sizeOf, TooLarge } from './references.ts';

/** Writes a value among text, in at most `room` characters. @throws TooLarge */
export type Writer = (value: Json, room?: number) => string;

/** Writes values for models, servers and people. Files are addresses, or names where they have data alone: no data: URL is ever a text. */
export const inText: Writer = (value, room = MAX_RESOLVED_LENGTH) => written(value, room, addressOf);

/** Writes values for the reader of an answer, in Markdown. */
const inAnswer: Writer = (value, room = MAX_RESOLVED_LENGTH) => written(value, room, linkTo);

/** As Dify does in requests and other texts: files are in the conversation, but in no text. */
const inDifyText: Writer = (value, room = MAX_RESOLVED_LENGTH) => written(value, room, () => '');

/** As Dify does in prompts: lists of texts and objects as Python writes JSON, all else as Python prints it. */
const inDifyPrompt: Writer = (value, room = MAX_RESOLVED_LENGTH) => {
  if (typeof value === 'boolean') return pythonText(value);
  if (typeof value !== 'object' || value === null || filesIn(value).length > 0) return inDifyText(value, room);
  if (Array.isArray(value) && value.length === 0) return '';
  const shown = shownValue(value);
  requireRoom(shown, room);
  const isJson = !Array.isArray(shown) || shown.every((each) => typeof each === 'string');
  return isJson ? pythonJson(shown) : pythonText(shown);
};

/** As Dify does in answers: lists are bullets, objects are indented. */
const inDifyAnswer: Writer = (value, room = MAX_RESOLVED_LENGTH) => {
  if (typeof value === 'boolean') return pythonText(value);
  if (typeof value !== 'object' || value === null || filesIn(value).length > 0) return inAnswer(value, room);
  const shown = shownValue(value);
  requireRoom(shown, room);
  if (!Array.isArray(shown)) return JSON.stringify(shown, null, 2);
  return shown.map((each: Json) => `- ${typeof each === 'string' ? each : pythonText(each)}`).join('\n');
};

const WRITERS = {
  native: { text: inText, prompt: inText, answer: inAnswer },
  dify: { text: inDifyText, prompt: inDifyPrompt, answer: inDifyAnswer },
} as const;

export function writerFor({ settings }: Pick<Graph, 'settings'>, use: keyof (typeof WRITERS)['native']): Writer {
  return WRITERS[settings.textStyle ?? 'native'][use];
}

/** The files of a value that is a file, or a list of files. */
export function filesIn(value: Json): readonly FileValue[] {
  if (isFile(value)) return [value];
  return isFileList(value) ? value : [];
}

/** A value without the content of its files: for templates, whose results are texts. */
export function withoutData(value: Json): Json {
  if (typeof value === 'string') return withoutDataUrls(value);
  if (Array.isArray(value)) return value.map((each: Json) => withoutData(each));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutData(each)]));
}

function written(value: Json, room: number, ofFile: (file: FileValue) => string): string {
  if (value === null) return '';
  if (typeof value === 'string') return withoutDataUrls(value);
  if (typeof value !== 'object') return String(value);
  const files = filesIn(value);
  if (files.length > 0)
    return files
      .map(ofFile)
      .filter((text) => text !== '')
      .join('\n');
  if (Array.isArray(value) && value.length === 0) return '';
  const shown = shownValue(value);
  requireRoom(shown, room);
  return JSON.stringify(shown);
}

/** @throws TooLarge */
function requireRoom(value: Json, room: number): void {
  if (sizeOf(value, room) > room) throw new TooLarge(`is longer than ${MAX_RESOLVED_LENGTH} characters`);
}

/** Files inside lists and objects are their addresses, or names. */
function shownValue(value: Json): Json {
  if (typeof value === 'string') return withoutDataUrls(value);
  if (Array.isArray(value)) return value.map(shownValue);
  if (isFile(value)) return addressOf(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shownValue(each)]));
}

function addressOf({ url, name }: FileValue): string {
  return isData(url) ? name : url;
}

function linkTo({ url, name, type }: FileValue): string {
  const label = name.replace(/[[\]\\]/g, '\\$&');
  if (isData(url)) return label;
  const address = url.replace(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `${type === 'image' ? '!' : ''}[${label}](${address})`;
}

function isFileList(value: Json): value is readonly FileValue[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isFile(each as Json));
}

function isData(url: string): boolean {
  return /^data:/i.test(url);
}

/** A text that is a data: URL is empty; one among other text is left out. */
function withoutDataUrls(text: string): string {
  if (/^\s*data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text) && !/\s/.test(text.trim())) return '';
  return text.replace(/data:[\w.+-]+\/[\w.+-]+;base64,[\w+/=-]*/gi, '');
}
