/** Whoever asked has closed the connection: the request was given up by its asker, and not because a gateway ends. */
export class ClientDisconnected extends Error {
  override readonly name = 'AskerGone';
  constructor() {
    super('the asker has gone');
  }
}
