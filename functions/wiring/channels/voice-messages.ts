import { openAiTranscribers } from '../../adapters/chat/openai-transcription.ts';
import { SafeFetch } from '../../adapters/web/safe-fetch.ts';
import type { Channel } from '../../channels/domain/channel.ts';
import { transcribe } from '../../chat/domain/transcribe.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { applications } from '../chat/chat.ts';
import { secretBox } from '../shared/secret-box.ts';

const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
const web = new SafeFetch({ field: 'the base_url of the model', allowLoopback: TRIPOD_LOCAL });
const ports = { applications: applications(), transcribers: openAiTranscribers(web, secretBox()) };

/** The words of a voice message; null where no model of the application can write them down. */
export async function wordsOfVoice(
  channel: Channel,
  voice: { readonly mimeType: string; readonly bytes: Uint8Array },
): Promise<string | null> {
  try {
    return await transcribe(channel, voice, ports);
  } catch (error) {
    logger().warn('A voice message could not be transcribed', { channelId: channel.channelId, error: error as Error });
    return null;
  }
}
