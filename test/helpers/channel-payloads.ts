import type { ChannelType } from '../../functions/channels/domain/channel.ts';
import { playedPlatforms } from '../../local/played-platforms/webhooks.ts';
import { type ShownChannel, webhookPath } from './channels.ts';
import { type ProviderRequest, type Script, type ScriptedProvider, says } from './scripted-provider.ts';
import type { TestService } from './service.ts';

/** A webhook in the platform's own form: JSON, or a form. */
export type Payload = object | URLSearchParams;

/** Posts a payload to a channel's webhook, signed as the platform signs. */
export async function postPayload(
  service: Pick<TestService, 'baseUrl'>,
  { type, id }: Pick<ShownChannel, 'type' | 'id'>,
  payload: Payload,
  platformUrl: string,
): Promise<Response> {
  const isForm = payload instanceof URLSearchParams;
  const body = isForm ? payload.toString() : JSON.stringify(payload);
  const signed = await playedPlatforms[type as ChannelType].sign(body, { nowMs: Date.now(), serviceUrl: platformUrl });
  const headers = { ...signed, ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }) };
  return fetch(service.baseUrl + webhookPath(type, id), { method: 'POST', headers, body });
}

type Part = { readonly type: string; readonly text?: string };

/** A person's last message in a request to the model; attachments as their types in brackets. */
export function lastQuestion({ body }: Pick<ProviderRequest, 'body'>): string {
  const content = body.messages.findLast(({ role }) => role === 'user')?.content as string | readonly Part[];
  if (typeof content === 'string') return content;
  return content.map(({ type, text }) => text ?? `<${type}>`).join('\n');
}

/** Everything that a request to the model says, the oldest first. */
export const saidIn = ({ body }: Pick<ProviderRequest, 'body'>) =>
  body.messages.map(({ content }) =>
    typeof content === 'string'
      ? content
      : (content as readonly Part[]).map(({ type, text }) => text ?? `<${type}>`).join('\n'),
  );

/** Answers each question with its own words. */
export const echoes: Script = (response, request) => says(`re: ${lastQuestion(request)}`)(response, request);

/** The questions that a model was asked, in their order. */
export const questions = ({ requests }: Pick<ScriptedProvider, 'requests'>) => requests.map(lastQuestion);
