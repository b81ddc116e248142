import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';

/** The gateway that schedules. */
export interface Leader {
  readonly instance: string;
  /** Where its HTTP door is, when it has one. */
  readonly door?: string | undefined;
}

export interface LeaderLocator {
  /**
   * Who schedules: whoever answers from the queue that has one consumer. Asked at most once at a time, and believed for a second.
   * @throws Error when nobody answers
   */
  ask(): Promise<Leader>;
  /** This gateway has been given a message from that queue: nobody else schedules. */
  hears(): void;
  /** What was believed has turned out to be wrong. */
  doubt(): void;
  /** This gateway takes no more messages: it is not the one, whatever it has heard before. */
  leave(): void;
}

/** How long an answer is believed. Once half of it is over it is asked anew, while the old answer still counts. */
const BELIEVED_MS = 1_000;
const ASK_MS = 3_000;

export function leaderLocator({ bus, me, now }: { readonly bus: Bus; readonly me: () => Leader; now(): number }): LeaderLocator {
  let known: { readonly at: number; readonly who: Leader } | undefined;
  let asking: Promise<Leader> | undefined;
  let hasLeft = false;

  async function question(): Promise<Leader> {
    const at = now();
    // The deadline is kept by the bus, which goes by the clock of the machine.
    const about = { id: crypto.randomUUID(), source: 'llm-gateway', subject: 'pool', at, replyBy: Date.now() + ASK_MS };
    const reply = await bus.request(contracts.write('llm.status', {}, about));
    if (reply.performative !== 'inform') throw new Error('no gateway says that it schedules');
    const { instance, door } = reply.data;
    if (hasLeft && instance === me().instance) throw new Error('no other gateway schedules');
    known = { at: now(), who: { instance, door } };
    return known.who;
  }

  const anew = (): Promise<Leader> => (asking ??= question().finally(() => (asking = undefined)));

  return {
    async ask() {
      const age = known ? Math.abs(now() - known.at) : Infinity; // a clock may be set back
      if (!known || age > BELIEVED_MS) return anew();
      if (age > BELIEVED_MS / 2) anew().catch(() => undefined);
      return known.who;
    },
    hears() {
      if (!hasLeft) known = { at: now(), who: me() };
    },
    doubt: () => void (known = undefined),
    leave() {
      hasLeft = true;
      known = undefined;
    },
  };
}
