import type { Json } from './platform.ts';

/** The values entered, each with its label if there are several. */
export function submittedText(view: Json): string {
  const values = view.in('state').in('values');
  const entered = view.list('blocks').flatMap((block) => {
    const inputs = values.in(block.text('block_id'));
    const names = Object.keys(values.fields(block.text('block_id')));
    const text = names
      .map((name) => actionValue(inputs.in(name)))
      .filter((value) => value !== '')
      .join(', ');
    return text === '' ? [] : [{ label: block.in('label').text('text'), text }];
  });
  const isLabelled = entered.length > 1;
  return entered.map(({ label, text }) => (isLabelled && label !== '' ? `${label}: ${text}` : text)).join('\n');
}

const optionText = (option: Json) => option.in('text').text('text') || option.text('value');

/** The value chosen or entered in an element; without a value, the element's id. */
export function actionValue(action: Json): string {
  const chosen = [
    ...(action.has('selected_option') ? [optionText(action.in('selected_option'))] : []),
    ...action.list('selected_options').map(optionText),
    ...['selected_date', 'selected_time', 'selected_user', 'selected_channel', 'selected_conversation'].map((name) =>
      action.text(name),
    ),
    ...['selected_users', 'selected_channels', 'selected_conversations'].flatMap((name) => action.texts(name)),
    momentOf(action.number('selected_date_time')),
  ].filter((text) => text !== '');
  const written = action.has('rich_text_value') ? richText(action.in('rich_text_value')) : action.text('value');
  // Files are attachments, and an empty input is not an answer.
  if (action.text('type') === 'file_input' || action.has('rich_text_value')) return written;
  return chosen.join(', ') || written || action.in('text').text('text') || action.text('action_id');
}

function momentOf(seconds: number | null): string {
  return seconds === null || seconds < 0 || seconds > 8e9 ? '' : new Date(seconds * 1000).toISOString();
}

/** Files of a form. */
export function submittedFiles(view: Json): Json[] {
  const values = view.in('state').in('values');
  return Object.keys(view.in('state').fields('values')).flatMap((block) =>
    Object.keys(values.fields(block)).flatMap((name) => values.in(block).in(name).list('files')),
  );
}

/** Rich text as lines: sections, lists, quotes and code. */
function richText(value: Json): string {
  return value
    .list('elements')
    .map((block) => {
      const isList = block.text('type') === 'rich_text_list';
      if (!isList) return inlineText(block);
      const isOrdered = block.text('style') === 'ordered';
      const indent = '  '.repeat(Math.min(block.number('indent') ?? 0, 8));
      const lines = block.list('elements').map(inlineText);
      return lines.map((line, index) => `${indent}${isOrdered ? `${index + 1}.` : '-'} ${line}`).join('\n');
    })
    .join('\n')
    .trim();
}

function inlineText(section: Json): string {
  return section.list('elements').map(elementText).join('').trimEnd();
}

function elementText(element: Json): string {
  switch (element.text('type')) {
    case 'link': {
      const [label, url] = [element.text('text'), element.text('url')];
      return label === '' || label === url ? url : `${label} (${url})`;
    }
    case 'user':
      return `@${element.text('user_id')}`;
    case 'usergroup':
      return `@${element.text('usergroup_id')}`;
    case 'channel':
      return `#${element.text('channel_id')}`;
    case 'broadcast':
      return `@${element.text('range')}`;
    case 'emoji':
      return `:${element.text('name')}:`;
    case 'date':
      return element.text('fallback');
    default:
      return element.text('text');
  }
}
