/** A message on its way: bytes, and what is written on the outside. */
export interface RawMessage {
  readonly body: Buffer;
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  /** Where the answer goes. */
  readonly replyTo?: string | undefined;
  /** What the answer answers. */
  readonly correlationId?: string | undefined;
  /** The user who sent it, as whoever carries it has checked; undefined when the sender did not say. */
  readonly user?: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** All who listen to a type, a queue beside one of ours (its delays, its dead letters), or one who waits for an answer. */
export type Destination =
  | { readonly kind: 'command' | 'event'; readonly type: string }
  | { readonly queue: string; readonly beside: string }
  | { readonly asker: string };

/** A parcel in somebody's hands. */
export interface RawDelivery {
  readonly parcel: RawMessage;
  /** It is done with. Does nothing when the connection it came by is gone: it comes again. Never throws. */
  ack(): void;
}

export interface TransportConsumer {
  /** Nothing more arrives. */
  cancel(): Promise<void>;
  /** What is in hand and not acknowledged is given back. */
  release(): Promise<void>;
}

export interface QueueOptions {
  readonly queue: string;
  readonly types: readonly string[];
  readonly isSingle: boolean;
  /** How many parcels are in hand at most. */
  readonly prefetch: number;
  /** The delays its parcels may be put aside for, in milliseconds. */
  readonly delaysMs: readonly number[];
}

/** What carries the messages of one bus: RabbitMQ, or a hub in memory. */
export interface Transport {
  /** Its name in telemetry. */
  readonly system: 'rabbitmq' | 'memory';
  /** Who we are to it: the user in the address of the broker; in memory the service. */
  readonly user: string;
  /**
   * Resolves once the parcel is in safe hands.
   * @param how `asks`: the answer comes to `onAnswer`; `signal`: not worth sending any more
   */
  send(to: Destination, parcel: RawMessage, how?: { readonly asks?: boolean; readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Takes from a queue, which exists from then on, with its delays and its dead letters. */
  consume(queue: QueueOptions, take: (taken: RawDelivery) => void): Promise<TransportConsumer>;
  /** Sees every parcel of these types from now on. */
  tap(types: readonly string[], take: (taken: RawDelivery) => void): Promise<TransportConsumer>;
  /** Called with every answer. */
  onAnswer(take: (parcel: RawMessage) => void): void;
  /** Called when answers under way may have been lost, with the connection they were to come by. */
  onRenewed(listener: () => void): void;
  isUp(): boolean;
  /** How many parcels were given to it that are not in safe hands yet. */
  unsent(): number;
  /** Waits for what is not confirmed, then disconnects. */
  close(): Promise<void>;
}
