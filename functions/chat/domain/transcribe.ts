import { type ApplicationId, type ModelConfig, modelsOf } from './application.ts';
import type { Applications } from './application-ports.ts';

/** A voice message. */
export interface Voice {
  /** Of its format, such as `audio/ogg`. */
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export interface TranscribePorts {
  readonly applications: Pick<Applications, 'find'>;
  readonly transcribers: {
    /** @throws ModelFailed */
    transcribe(model: ModelConfig, application: ApplicationId, voice: Voice): Promise<string>;
  };
}

/** The words of a voice message, by the first model of an application that writes them down; null where none does. */
export async function transcribe(
  id: ApplicationId,
  voice: Voice,
  { applications, transcribers }: TranscribePorts,
): Promise<string | null> {
  const application = await applications.find(id);
  if (application === null) return null;
  const model = modelsOf(application.config).find(({ transcriptionModel }) => transcriptionModel !== null);
  return model === undefined ? null : transcribers.transcribe(model, id, voice);
}
