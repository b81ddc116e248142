import { z } from 'zod';

/** The communicative acts of FIPA SC00037 that our messages use. */
export type Performative = 'request' | 'inform' | 'query-ref' | 'agree' | 'refuse' | 'failure';

export type Service = 'gamemaster' | 'chatroom' | 'player' | 'llm-gateway' | 'web' | 'aiwolf' | 'contest';

/**
 * A message of the platform: its name, data, senders, receivers and description.
 * Types, validation, routing, the AsyncAPI document and the page in docs are derived from this value.
 */
export interface Contract<Name extends string = string, Data extends z.ZodObject = z.ZodObject, Reply extends z.ZodObject = z.ZodObject> {
  readonly kind: 'event' | 'command';
  /** `context.verb` for commands, past tense for events. */
  readonly name: Name;
  readonly version: number;
  readonly performative: Performative;
  readonly data: Data;
  /** The data of a successful reply; a command without one has no reply. */
  readonly reply: Reply | undefined;
  /** One sentence for people. Starts with `Broadcast` for an event that is never queued. */
  readonly summary: string;
  readonly from: readonly Service[];
  readonly to: readonly Service[];
  readonly example: z.output<Data>;
  readonly replyExample: z.output<Reply> | undefined;
  /** The request as which its receiver passes it on, in the name of its sender. */
  readonly forwardedAs?: string;
  /** Upgrades of older versions: `was[1]` turns data of version 1 into version 2. */
  readonly was: { readonly [version: number]: (old: never) => unknown };
}

interface Given<Data extends z.ZodObject> {
  readonly summary: string;
  readonly from: readonly Service[];
  readonly to: readonly Service[];
  readonly data: Data;
  readonly example: z.output<Data>;
  readonly version?: number;
  readonly was?: { readonly [version: number]: (old: never) => unknown };
}

type Dotted = `${string}.${string}`;

/** Declares a message about something that happened. */
export const event = <const N extends Dotted, D extends z.ZodObject>(name: N, given: Given<D>): Contract<N, D, never> => ({
  kind: 'event',
  name,
  version: 1,
  was: {},
  performative: 'inform',
  reply: undefined,
  replyExample: undefined,
  ...given,
});

/** Declares a request; without a `reply`, the result shows in later messages only. */
export const command = <const N extends Dotted, D extends z.ZodObject, R extends z.ZodObject = never>(
  name: N,
  given: Given<D> & {
    readonly performative?: 'request' | 'query-ref';
    readonly reply?: R;
    readonly replyExample?: z.output<R>;
    readonly forwardedAs?: string;
  },
): Contract<N, D, R> => ({
  kind: 'command',
  name,
  version: 1,
  was: {},
  performative: 'request',
  ...given,
  reply: given.reply,
  replyExample: given.replyExample,
});

/** The same schema without unknown fields: what a sender may write. */
export const strict = (data: z.ZodObject): z.ZodObject => z.strictObject(data.shape);
