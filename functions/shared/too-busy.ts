/** Too much work of one kind waits, of one tenant or of all. Nothing was done; the message is for the client. */
export class TooBusy extends Error {
  override name = 'TooBusy';

  constructor() {
    super('Too much work of this kind waits already. Nothing was done: send the request again later.');
  }
}
