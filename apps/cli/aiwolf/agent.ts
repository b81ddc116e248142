import type { Recipe } from '@maw/minds/mind.ts';
import { type Division, answerText } from './answer-text.ts';
import { naturalNotice } from './natural-notice.ts';
import type { Notice, Request } from './notice.ts';
import { protocolNotice } from './protocol-notice.ts';
import { createSeatMind, type SeatMind } from './seat-mind.ts';
import { askedFor, beginView, type Choice, eventsOf, type SeatEvent, type SeatView } from './seat-view.ts';

/** What one seat tells of its games. */
export type AgentReport =
  | { readonly type: 'began'; readonly players: number; readonly as: string; readonly role: string; readonly limitMs: number }
  | {
      readonly type: 'ended';
      readonly role: string;
      readonly winner: string;
      readonly hasWon: boolean;
      readonly isAlive: boolean;
      readonly day: number;
    }
  | { readonly type: 'late'; readonly request: Request; readonly ms: number }
  | { readonly type: 'failed'; readonly error: string };

export interface AgentTerms {
  readonly division: Division;
  readonly name: string;
  readonly recipe: Recipe;
  readonly seed: string;
  readonly report: (report: AgentReport) => void;
}

/** One of our minds behind a connection. It never answers what wants no answer, and never twice. */
export interface Agent {
  /** The answer to a packet; undefined: none is wanted, or it is too late for it. @throws PacketError, Refusal */
  take(packet: string): Promise<string | undefined>;
  /** Whether a game is being played. */
  isPlaying(): boolean;
}

interface Playing {
  readonly view: SeatView;
  readonly mind: SeatMind;
}

export function createAgent({ division, name, recipe, seed, report }: AgentTerms): Agent {
  let playing: Playing | undefined;
  let games = 0;
  /** The number of packets so far: an answer is dropped when another packet has come. */
  let received = 0;

  function begin({ terms, situation }: Notice): void {
    if (!terms || !situation) throw new Error('INITIALIZE does not describe a game');
    const { view, events } = beginView(terms, situation);
    const mind = createSeatMind(recipe, view, terms.game ?? `${seed}/${games++}`, (error) => report({ type: 'failed', error }));
    mind.hear(events, Date.now());
    playing = { view, mind };
    const role = view.game.roles[view.me]!;
    report({ type: 'began', players: terms.names.length, as: terms.names[view.me]!, role, limitMs: terms.limitMs });
  }

  async function answer({ view, mind }: Playing, request: Choice): Promise<string | undefined> {
    const now = Date.now();
    const number = received;
    const { question, events } = askedFor(view, request, now);
    mind.hear(events, now);
    const says = await mind.answer(question, now);
    const ms = Date.now() - now;
    if (number === received && ms < view.terms.limitMs) return answerText(division, view, question, says);
    report({ type: 'late', request, ms });
    return undefined;
  }

  return {
    isPlaying: () => playing !== undefined,
    async take(packet) {
      received++;
      const notice = division === 'protocol' ? protocolNotice(packet) : naturalNotice(packet);
      const { request } = notice;
      if (request === 'NAME') return name;
      if (request === 'ROLE') return 'none';
      if (request === 'INITIALIZE') {
        begin(notice);
        return undefined;
      }
      if (!playing) throw new Error(`${request} came before INITIALIZE`);
      const { view, mind } = playing;
      const now = Date.now();
      const events = eventsOf(view, notice, now);
      mind.hear(events, now);
      if (request === 'FINISH') {
        report(endOf(view, notice, events));
        playing = undefined;
      }
      return notice.wantsAnswer ? answer({ view, mind }, request as Choice) : undefined;
    },
  };
}

function endOf({ me, game }: SeatView, { situation }: Notice, events: readonly SeatEvent[]): AgentReport {
  const ended = events.find((event) => event.type === 'ended');
  const role = situation?.roles[me] ?? game.roles[me]!;
  const side = role === 'werewolf' || role === 'possessed' ? 'werewolves' : 'village';
  const winner = ended?.winner ?? 'draw';
  return { type: 'ended', role, winner, hasWon: winner === side, isAlive: game.living.includes(me), day: game.day };
}
