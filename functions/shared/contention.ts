/** Too many other writes of the same records came first. Nothing was written; the message is for the client. */
export class Contention extends Error {
  override name = 'Contention';

  constructor() {
    super('Too many changes of the same record at the same time. Nothing was changed: send the request again.');
  }
}
