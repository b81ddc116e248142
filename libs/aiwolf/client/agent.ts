import { setTimeout as sleep } from 'node:timers/promises';
import { sideOf } from '@maw/games/aiwolf/state.ts';
import { OVER } from '@maw/games/aiwolf/turns.ts';
import type { Question } from '@maw/games/kernel/question.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { answerText, type Division } from './answer-text.ts';
import type { Answerer, SeatAnswer } from './minds/model-mind.ts';
import { createSeatMind, type SeatMind } from './minds/seat-mind.ts';
import type { SeatModels } from './minds/seat-models.ts';
import { naturalNotice } from './natural-notice.ts';
import type { Notice, Request } from './notice.ts';
import { protocolNotice } from './protocol-notice.ts';
import { askedFor, beginPhase, beginView, type Choice, endTurn, eventsOf, type SeatEvent, type SeatView } from './seat-view.ts';

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
  /** Of a mind with a model: who gave an answer, and how long ago the model began its thought. */
  | { readonly type: 'answered'; readonly request: Choice; readonly by: Answerer; readonly ageMs?: number }
  | { readonly type: 'late'; readonly request: Request; readonly ms: number; readonly isSent: boolean }
  | { readonly type: 'failed'; readonly error: string };

export interface AgentTerms {
  readonly division: Division;
  readonly name: string;
  readonly recipe: Recipe;
  /** Answers when the model of a recipe is too slow. */
  readonly standIn: Recipe;
  /** Needed by a recipe with a model. */
  readonly models?: SeatModels | undefined;
  readonly seed: string;
  readonly report: (report: AgentReport) => void;
  /** Sends what nobody asked for: what is said in a talk at any time. */
  readonly send: (text: string) => void;
}

interface Playing {
  readonly view: SeatView;
  readonly mind: SeatMind;
}

/** One of our minds behind a connection. It never answers what wants no answer, and never twice. */
export class Agent {
  readonly #terms: AgentTerms;
  #playing: Playing | undefined;
  #games = 0;
  /** Aborts at the next request: then an answer is not wanted any more. */
  #waiting = new AbortController();
  #talking = new AbortController();

  constructor(terms: AgentTerms) {
    this.#terms = terms;
  }

  /** Whether a game is being played. */
  isPlaying(): boolean {
    return this.#playing !== undefined;
  }

  /** Ends its thoughts and what it says: the connection is closed. */
  close(): void {
    this.#waiting.abort();
    this.#talking.abort();
    this.#playing?.mind.close();
  }

  /** The answer to a packet; undefined: none is wanted, or it is too late for it. @throws PacketError, Refusal */
  async take(packet: string): Promise<string | undefined> {
    const { division, name } = this.#terms;
    const notice = division === 'protocol' ? protocolNotice(packet) : naturalNotice(packet);
    const { request } = notice;
    if (request !== 'OTHER') this.#waiting.abort();
    if (request === 'NAME') return name;
    if (request === 'ROLE') return 'none';
    if (request !== 'OTHER') this.#talking.abort();
    if (request === 'INITIALIZE') {
      this.#begin(notice);
      return undefined;
    }
    if (!this.#playing) throw new Error(`${request === 'OTHER' ? 'news of a game' : request} came before INITIALIZE`);
    const { view, mind } = this.#playing;
    const now = Date.now();
    const events = eventsOf(view, notice, now);
    mind.hear(events, now);
    if (notice.phase) this.#changePhase(this.#playing, notice.phase);
    if (request === 'FINISH') {
      this.#terms.report(endOf(view, notice, events));
      mind.close();
      this.#playing = undefined;
    }
    return notice.wantsAnswer ? this.#answer(this.#playing!, request as Choice) : undefined;
  }

  #begin({ terms, situation }: Notice): void {
    if (!terms || !situation) throw new Error('INITIALIZE does not describe a game');
    const { recipe, standIn, seed, report, models } = this.#terms;
    this.#playing?.mind.close();
    const { view, events } = beginView(terms, situation);
    const onFailure = (error: string): void => report({ type: 'failed', error });
    const mind = createSeatMind(recipe, view, { seed: terms.game ?? `${seed}/${this.#games++}`, onFailure, standIn, models });
    mind.hear(events, Date.now());
    this.#playing = { view, mind };
    const role = view.game.roles[view.me]!;
    report({ type: 'began', players: terms.names.length, as: terms.names[view.me]!, role, limitMs: terms.limitMs });
  }

  async #answer({ view, mind }: Playing, request: Choice): Promise<string | undefined> {
    const { division, report } = this.#terms;
    const now = Date.now();
    const { signal } = (this.#waiting = new AbortController());
    const { question, events } = askedFor(view, request, now);
    mind.hear(events, now);
    const answer = await mind.answer(question, now, signal);
    const ms = Date.now() - now;
    const isOver = signal.aborted || !answer;
    if (isOver || ms >= view.terms.limitMs) {
      const isSent = !isOver && division === 'protocol'; // whose server has hung up by then, or tolerates it
      report({ type: 'late', request, ms, isSent });
      if (!isSent) return undefined;
    }
    this.#credit(request, answer);
    return answerText(division, view, question, answer.says);
  }

  /** A talk or whispering at any time begins or ends. */
  #changePhase({ view, mind }: Playing, { place, isBegun }: NonNullable<Notice['phase']>): void {
    const now = Date.now();
    this.#talking.abort();
    if (!isBegun) return mind.hear(endTurn(view), now);
    const { question, events } = beginPhase(view, place, now);
    mind.hear(events, now);
    if (!question) return;
    const { signal } = (this.#talking = new AbortController());
    const send = (answer: SeatAnswer): string => {
      const text = answerText(this.#terms.division, view, question, answer.says);
      this.#terms.send(text);
      this.#credit(place === 'talk' ? 'TALK' : 'WHISPER', answer);
      return text;
    };
    void talk({ question, mind, send, lastsMs: view.options.talkMs, over: signal }).catch((error: Error) =>
      this.#terms.report({ type: 'failed', error: error.message }),
    );
  }

  #credit(request: Choice, { by, ageMs }: SeatAnswer): void {
    if (by) this.#terms.report({ type: 'answered', request, by, ...(ageMs === undefined ? {} : { ageMs }) });
  }
}

function endOf({ me, game }: SeatView, { situation }: Notice, events: readonly SeatEvent[]): AgentReport {
  const ended = events.find((event) => event.type === 'ended');
  const role = situation?.roles[me] ?? game.roles[me]!;
  const winner = ended?.winner ?? 'draw';
  return {
    type: 'ended',
    role,
    winner,
    hasWon: role !== 'hidden' && winner === sideOf(role),
    isAlive: game.living.includes(me),
    day: game.day,
  };
}

interface Talking {
  readonly question: Question;
  readonly mind: SeatMind;
  /** Sends what the mind says, and returns it as it was sent. */
  readonly send: (answer: SeatAnswer) => string;
  /** How long it lasts at most. */
  readonly lastsMs: number;
  /** Aborts at its end. */
  readonly over: AbortSignal;
}

/** The longest that a mind waits on average before it thinks again. */
const MAX_PACE_MS = 10_000;

/** A talk at any time: thinks at its own pace and speaks, until it has said `Over` or all it may say, or the talk ends. */
async function talk({ question, mind, send, lastsMs, over }: Talking): Promise<void> {
  const texts = question.limit?.texts ?? 0;
  const paceMs = Math.min(MAX_PACE_MS, lastsMs / (4 * Math.max(1, texts)));
  for (let said = 0, thoughts = 0; said < texts; thoughts++) {
    await sleep(paceMs * (0.5 + Math.random()), undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const answer = await mind.speak(question, thoughts, Date.now(), over);
    if (over.aborted) return;
    if (!answer) continue;
    said++;
    if (send(answer) === OVER) return;
  }
}
