/** The client has closed its connection: the request was given up by its caller, not because a gateway closes. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
  constructor() {
    super('the client has disconnected');
  }
}
