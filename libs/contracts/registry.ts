import { z } from 'zod';
import { type Contract, type Performative, strict } from './contract.ts';
import { type Envelope, envelope, refusal } from './envelope.ts';

export type Message<C extends Contract = Contract> =
  C extends Contract<infer N, infer D, infer _R> ? Envelope & { readonly type: N; readonly data: z.output<D> } : never;

/** What came of a request. */
export type Reply<Data = unknown> =
  | { readonly performative: 'agree' | 'inform'; readonly data: Data }
  | { readonly performative: 'refuse' | 'failure'; readonly data: z.output<typeof refusal> };

/** What the writer of a message says about it. */
export interface MessageHead {
  readonly id: string;
  readonly source: string;
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly causeid?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly replyBy?: number | undefined;
  readonly sequence?: number | undefined;
}

/** A message that can never be understood, however often it is delivered. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/** All contracts by name: writing strictly, reading leniently. */
export function createRegistry<const All extends readonly Contract[]>(...all: All) {
  type Any = All[number];
  type Of<N extends Any['name']> = Extract<Any, { name: N }>;
  type ReplyOf<N extends Any['name']> =
    Of<N> extends Contract<string, z.ZodObject, infer R> ? ([R] extends [never] ? never : z.output<R>) : never;
  const byName = new Map<string, Contract>(all.map((c) => [c.name, c]));
  if (byName.size !== all.length) throw new Error('two contracts have the same name');
  const strictData = new Map(all.map((c) => [c.name as string, strict(c.data)]));

  /** @throws UnreadableMessage */
  const named = (name: string): Contract => {
    const contract = byName.get(name);
    if (!contract) throw new UnreadableMessage(`no contract is named ${name.slice(0, 100)}`);
    return contract;
  };

  return {
    all: all as readonly Contract[],
    get: <N extends Any['name']>(name: N): Of<N> => named(name) as unknown as Of<N>,

    /** Wraps `data` for sending. Throws in the sender, where the mistake is, not in every receiver. */
    write<N extends Any['name']>(name: N, data: z.input<Of<N>['data']>, about: MessageHead): Message<Of<N>> {
      const contract = named(name);
      return {
        ...head(name, contract.version, contract.performative, about),
        data: strictData.get(name)!.parse(data),
      } as unknown as Message<Of<N>>;
    },

    /**
     * Reads what came off the wire. Fields nobody knows are dropped, so that senders may add some; data of older versions is brought up to date.
     * @throws UnreadableMessage
     */
    read(raw: unknown): Message<Any> {
      const seen = parse(envelope, raw, 'envelope');
      const contract = named(seen.type);
      let data = (raw as { data?: unknown }).data;
      if (seen.dataversion > contract.version)
        throw new UnreadableMessage(`${contract.name}: version ${seen.dataversion} is newer than ${contract.version}`);
      for (let v = seen.dataversion; v < contract.version; v++) {
        const up = contract.was[v];
        if (!up) throw new UnreadableMessage(`${contract.name}: version ${v} can no longer be read`);
        data = up(data as never);
      }
      return { ...seen, data: parse(contract.data, data, contract.name) } as unknown as Message<Any>;
    },

    /** Wraps an answer. A good one is checked against the contract of what it answers. */
    writeReply(name: Any['name'], reply: Reply, about: MessageHead): Envelope & { readonly data: unknown } {
      const contract = named(name);
      const isGood = reply.performative === 'agree' || reply.performative === 'inform';
      if (isGood && !contract.reply) throw new Error(`${name} is never answered`);
      const data = isGood ? strict(contract.reply!).parse(reply.data) : refusal.parse(reply.data);
      return { ...head(`${name}.reply`, contract.version, reply.performative, about), data };
    },

    /** @throws UnreadableMessage */
    readReply<N extends Any['name']>(name: N, raw: unknown): Reply<ReplyOf<N>> {
      const contract = named(name);
      const seen = parse(envelope, raw, `envelope of the answer to ${name}`);
      if (seen.type !== `${name}.reply`) throw new UnreadableMessage(`expected the answer to ${name}, not ${seen.type}`);
      const { data } = raw as { data?: unknown };
      if (seen.performative === 'refuse' || seen.performative === 'failure')
        return { performative: seen.performative, data: parse(refusal, data, `${name}.reply`) };
      if (!contract.reply) throw new UnreadableMessage(`${name} is never answered`);
      return { performative: seen.performative as 'agree' | 'inform', data: parse(contract.reply, data, `${name}.reply`) as ReplyOf<N> };
    },
  };
}

const head = (type: string, version: number, performative: Performative, about: MessageHead): Envelope => ({
  specversion: '1.0',
  id: about.id,
  source: about.source,
  type,
  subject: about.subject,
  time: new Date(about.at).toISOString(),
  datacontenttype: 'application/json',
  dataversion: version,
  performative,
  ...(about.causeid === undefined ? {} : { causeid: about.causeid }),
  ...(about.replyBy === undefined ? {} : { replyby: new Date(about.replyBy).toISOString() }),
  ...(about.sequence === undefined ? {} : { sequence: about.sequence }),
});

function parse<T extends z.ZodType>(schema: T, raw: unknown, what: string): z.output<T> {
  const result = schema.safeParse(raw);
  if (!result.success) throw new UnreadableMessage(`${what}: ${z.prettifyError(result.error).slice(0, 1000)}`);
  return result.data;
}
