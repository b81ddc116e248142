/** What agents may send, keep us waiting and leave unread. */
export const defaults = {
  /** For the answer to NAME. */
  nameMs: 30_000,
  /** For the end of a connection that we close; then it is cut. */
  closeMs: 5_000,
  /** Of one answer. A longer one is a fault; one 16 times as long ends the connection. */
  maxTextBytes: 65_536,
  /** Sent to an agent that does not read; with more the connection is cut. */
  maxBacklogBytes: 4_194_304,
  /** Texts since the last request, those of a talk at any time included; with more the connection is closed. */
  maxUnasked: 1_000,
  /** Connections at once, agents without a table included. */
  maxConnections: 1_000,
  /** The same from one address. */
  maxPerAddress: 500,
};
