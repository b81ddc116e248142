/**
 * What one agent at one seat is sent, as a fold: in go the events that the seat sees of its table, in order; out come packets. It has neither
 * clock nor connection.
 */
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import type { AiwolfEvent } from '@maw/games/aiwolf/state.ts';
import { unsaid } from '@maw/games/aiwolf/turns.ts';
import { isTableEvent, play, type Position } from '@maw/games/kernel/play.ts';
import { hasFloor, type Open, stepOf } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { match } from '@maw/games/match/match.ts';
import { isMatchEvent, type Match, type MatchEvent } from '@maw/games/match/state.ts';
import { naturalPacket, naturalSent, writeNaturalPacket } from './natural.ts';
import { protocolPacket, protocolSent, writeProtocolPacket } from './protocol.ts';
import type { Request, Terms } from './terms.ts';
import { isLastTurn, isSilent, newView, type View, viewAfter, viewAfterSpeech, viewAfterVote } from './view.ts';

type Event = { readonly type: string };

/** One packet. */
export interface Sent {
  readonly request: Request;
  /** A line without its end, or a message. */
  readonly text: string;
  /**
   * The question that the agent's next text answers; with TALK_PHASE_START all its texts until the end of the phase. ROLE wants an answer too,
   * which changes nothing.
   */
  readonly question?: string;
}

export interface SeatState {
  /** The table as the seat sees it. */
  readonly table: Position<Match>;
  /** From the deal of a round to its end. */
  readonly view?: View;
}

/** The state afterwards, and the packets, in order. */
export interface Seen {
  readonly state: SeatState;
  readonly sent: readonly Sent[];
}

/** The requests of questions, by step. */
const REQUESTS: { readonly [step: string]: Request } = {
  talk: 'TALK',
  whisper: 'WHISPER',
  vote: 'VOTE',
  divine: 'DIVINE',
  guard: 'GUARD',
  attack: 'ATTACK',
};

/** The fold for one seat. */
export function seatLogic(terms: Terms) {
  const table = play(match(aiwolf.rules(terms.players, terms.options)));
  return {
    begin: (): SeatState => ({ table: table.begin() }),

    /** What the seat is sent upon the next event it sees. */
    seen(s: SeatState, e: Event): Seen {
      return seen(s, e, table.evolve(s.table, e), () => true);
    },

    /** The same for several events. Of the questions, only those are sent that the seat may still answer after the last event. */
    seenAll(s: SeatState, events: readonly Event[]): Seen {
      let end = s.table;
      const tables = events.map((e) => (end = table.evolve(end, e)));
      const isDue = (id: string): boolean => end.open.some((q) => q.id === id && hasFloor(q, terms.seat));
      const sent: Sent[] = [];
      for (const [i, e] of events.entries()) {
        const step = seen(s, e, tables[i]!, isDue);
        s = step.state;
        sent.push(...step.sent);
      }
      return { state: s, sent };
    },

    /**
     * What another agent is sent that takes the seat in the middle of a game: who it is, today's news, whether the talk of today is over, and the
     * question that it may answer now. The next history has all of today.
     */
    resumed(s: SeatState): Seen {
      const step = new Step(terms, s, s.table.open, () => true);
      step.resume();
      return { state: step.state, sent: step.sent };
    },
  };

  function seen(s: SeatState, e: Event, after: Position<Match>, isDue: (question: string) => boolean): Seen {
    const step = new Step(terms, { ...s, table: after }, s.table.open, isDue);
    step.take(e);
    return { state: step.state, sent: step.sent };
  }
}

/** One event and what follows from it. */
class Step {
  state: SeatState;
  readonly sent: Sent[] = [];
  readonly #terms: Terms;
  /** The questions that were open before the event. */
  readonly #open: readonly Open[];
  /** Whether a question is still to be sent. */
  readonly #isDue: (question: string) => boolean;

  constructor(terms: Terms, state: SeatState, open: readonly Open[], isDue: (question: string) => boolean) {
    this.#terms = terms;
    this.state = state;
    this.#open = open;
    this.#isDue = isDue;
  }

  resume(): void {
    const view = this.#view;
    if (!view?.game.roles.length) return;
    const { asked: _, ...rest } = view;
    this.#become({ ...rest, said: NOTHING, sent: NONE });
    this.#send('INITIALIZE');
    if (!view.isMorning) this.#send('DAILY_INITIALIZE');
    this.#become({ ...this.#view!, said: view.said, sent: NONE });
    const hasTalk = view.day > 0 || this.#terms.options.talkOnFirstDay;
    const isTalkOver = hasTalk ? view.said.talk.length > 0 : true;
    if (isTalkOver && !view.isMorning && !this.state.table.open.some(({ id }) => stepOf(id) === 'talk')) this.#send('DAILY_FINISH');
    this.#ask();
  }

  take(e: Event): void {
    if (isMatchEvent(e)) this.#takeMatchEvent(e);
    else if (this.#view) {
      if (isTableEvent(e)) this.#takeTableEvent(e);
      else this.#takeGameEvent(e as AiwolfEvent);
    }
    this.#ask();
  }

  get #view(): View | undefined {
    return this.state.view;
  }

  #become(view: View): void {
    this.state = { ...this.state, view };
  }

  #takeMatchEvent(e: MatchEvent): void {
    if (e.type === 'began') {
      this.#become(newView);
      if (this.#terms.division === 'protocol') this.#send('ROLE');
    } else if ((e.type === 'scored' || e.type === 'aborted') && this.#view) {
      if (this.#view.game.roles.length) this.#send('FINISH', e.type === 'scored' ? e.outcome.roles : undefined);
      const { view: _, ...rest } = this.state;
      this.state = rest;
    }
  }

  #takeGameEvent(e: AiwolfEvent): void {
    const wasMorning = this.#view!.isMorning;
    this.#become(viewAfter(this.#view!, e, this.#terms));
    if (e.type === 'dealt') {
      this.#send('INITIALIZE');
      this.#send('DAILY_INITIALIZE');
      if (!this.#terms.options.talkOnFirstDay) this.#send('DAILY_FINISH');
    } else if (e.type === 'ordered' && e.place === 'talk') {
      if (wasMorning) this.#send('DAILY_INITIALIZE');
      if (isSilent(e)) this.#send('DAILY_FINISH');
    }
  }

  #takeTableEvent(e: TableEvent): void {
    const q = 'question' in e && typeof e.question === 'string' ? this.#open.find(({ id }) => id === e.question) : undefined;
    const step = q && stepOf(q.id);
    const isSpeech = step === 'talk' || step === 'whisper';
    const view = this.#view!;
    if (e.type === 'answered' && isSpeech) {
      this.#become(viewAfterSpeech(view, e.answer, e.at, this.#terms));
      if (this.#isSpeaker(q!)) this.#send('TALK_BROADCAST');
    } else if (e.type === 'passed' && isSpeech) {
      const [answer] = unsaid(view.game, { ...q!, passed: [e.seat] }, this.#terms.options);
      this.#become(viewAfterSpeech(view, answer!, e.at, this.#terms));
    } else if (e.type === 'settled' && step === 'talk') {
      if (this.#isSpeaker(q!)) this.#send('TALK_PHASE_END');
      if (isLastTurn(view, this.#terms)) this.#send('DAILY_FINISH');
    } else if (e.type === 'settled' && (step === 'attack' || (step === 'vote' && this.#terms.options.voteVisible)))
      this.#become(viewAfterVote(view, step, [...e.answers, ...(e.defaulted ?? [])]));
  }

  /** Whether the agent takes part in this talk at any time. */
  #isSpeaker({ inTurn, of }: Open): boolean {
    return !inTurn && of.includes(this.#terms.seat);
  }

  /** Sends the question that the seat is to answer now, once it has the news of the day. */
  #ask(): void {
    const view = this.#view;
    if (!view || view.isMorning) return;
    const { seat } = this.#terms;
    const q = this.state.table.open.find(({ id }) => stepOf(id) in REQUESTS && dayOf(id) === view.day);
    if (!q || q.id === view.asked || !hasFloor(q, seat)) return;
    this.#become({ ...view, asked: q.id });
    if (!this.#isDue(q.id)) return;
    const request = REQUESTS[stepOf(q.id)]!;
    this.#send(request === 'TALK' && !q.inTurn ? 'TALK_PHASE_START' : request, undefined, q.id);
  }

  #send(request: Request, roles?: readonly string[], question?: string): void {
    const terms = this.#terms;
    const view = this.#view!;
    const { round, names } = this.state.table.game;
    const isProtocol = terms.division === 'protocol';
    const text = isProtocol
      ? writeProtocolPacket(protocolPacket(terms, view, request, round, roles))
      : writeNaturalPacket(naturalPacket(terms, view, request, round, names as readonly string[], roles));
    this.sent.push({ request, text, ...(question === undefined ? {} : { question }) });
    this.#become({ ...view, sent: (isProtocol ? protocolSent : naturalSent)(terms, view, request) });
  }
}

const NOTHING = { talk: [], whisper: [] };
const NONE = { talk: 0, whisper: 0 };

/** The day that a question belongs to, with the night after it. */
const dayOf = (id: string): number => Number(/(?:day|night)-(\d+)\//.exec(id)?.[1]);
