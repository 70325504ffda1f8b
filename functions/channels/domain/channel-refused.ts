/** Why a channel, a change of one, or a replay is not accepted. */
export type ChannelRefusal =
  /** No such channel, or another workspace's. */
  | 'not_found'
  | 'dead_letter_not_found'
  /** Changed by another call at the same moment. */
  | 'changed'
  | 'application_not_found'
  | 'wrong_secret'
  | 'wrong_setting'
  /** The channel of a dead letter is removed or disabled. */
  | 'channel_removed'
  | 'channel_disabled'
  /** As many messages wait in the conversation as can. */
  | 'conversation_full';

export class ChannelRefused extends Error {
  override name = 'ChannelRefused';
  readonly refusal: ChannelRefusal;

  constructor(refusal: ChannelRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
