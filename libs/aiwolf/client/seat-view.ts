/**
 * What a seat in a published server has seen, as events of the rule set `aiwolf`: those that a table of our own would show that seat, in the
 * same order as far as the server tells things in that order. Speakers of a turn who have not been heard yet stand last in its order.
 */
import { aiwolfOptions, type AiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { ending, vote } from '@maw/games/aiwolf/phases.ts';
import { askBodyguard, askSeer, askWolves } from '@maw/games/aiwolf/night.ts';
import { roleCountsFor } from '@maw/games/aiwolf/role-counts.ts';
import { rosterOf } from '@maw/games/aiwolf/roster.ts';
import { type Aiwolf, type AiwolfEvent, evolve, initialState, type Place } from '@maw/games/aiwolf/state.ts';
import { type Context, phaseOfVote, phaseOfWhisper } from '@maw/games/aiwolf/steps.ts';
import { counted, newCounts, OVER, talkRest } from '@maw/games/aiwolf/turns.ts';
import { seededRoll } from '@maw/games/kernel/dice.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { type Answer, chat, type Instant, type Question, round, type Seat } from '@maw/games/kernel/question.ts';
import { ask, type TableEvent } from '@maw/games/kernel/rules.ts';
import type { MatchEvent } from '@maw/games/match/state.ts';
import type { Notice, Situation, Terms, Utterance, Vote } from './notice.ts';

export type SeatEvent = AiwolfEvent | TableEvent | MatchEvent;
/** What a mind is asked for. */
export type Choice = 'TALK' | 'WHISPER' | 'VOTE' | 'DIVINE' | 'GUARD' | 'ATTACK';

/** A game as one seat sees it. */
export interface SeatView {
  readonly me: Seat;
  readonly terms: Terms;
  readonly options: AiwolfOptions;
  readonly context: Omit<Context, 'now'>;
  /** Written by `happen`. */
  game: Aiwolf;
  /** The secret choice that is open. */
  choice: string | undefined;
  /** Which vote of today was asked for last, from 1; and whether its result is known. */
  rounds: { readonly [step in 'vote' | 'attack']: { asked: number; settled: number } };
  readonly talk: TalkSoFar;
}

/** What was said and asked to be said. Written by the functions of talk and whispering. */
interface TalkSoFar {
  /** The turn that is open, and what was said in it. */
  turn: { readonly question: Question; readonly answers: Answer[] } | undefined;
  /** All that was asked, by id. */
  readonly asked: Set<string>;
  /** All that was heard. */
  readonly heard: Set<string>;
  /** How often this seat was asked to speak, by talk or whispering. */
  readonly spoken: Map<string, number>;
  /** The first whispering of day 0 is over. */
  isFirstTalkOver: boolean;
  /** What is said at any time, not in turns. */
  readonly anytime: Set<Place>;
}

const ROUND = 'round-1/';

/** Begins a game. @throws Refusal when the rule set does not have such a game */
export function beginView(terms: Terms, { me, roles }: Situation): { readonly view: SeatView; readonly events: readonly SeatEvent[] } {
  const options = readOptions(aiwolfOptions, terms.options);
  const roleCounts = roleCountsFor(terms.names.length, options.roles, options.preset);
  const view: SeatView = {
    me,
    terms,
    options,
    context: { options, roleCounts, open: [], dice: seededRoll('', '') },
    game: initialState,
    choice: undefined,
    rounds: newRounds(),
    talk: {
      turn: undefined,
      asked: new Set(),
      heard: new Set(),
      spoken: new Map(),
      isFirstTalkOver: false,
      anytime: new Set(options.talk === 'anytime' ? ['talk'] : []),
    },
  };
  const seats = terms.names.map(() => ({ kind: 'hidden' as const }));
  const opening = { rules: 'aiwolf', version: '2021', options: terms.options, rounds: 1, seats, seed: '' };
  const events: SeatEvent[] = [
    { type: 'opened', opening: { ...opening, lobbyMs: 0, pauseMs: 0, spectators: 'audience' } },
    ...terms.names.map((name, seat) => ({ type: 'joined', seat, name }) as const),
    { type: 'began', round: 1 },
  ];
  return { view, events: [...events, happen(view, { type: 'dealt', roles })] };
}

const newRounds = () => ({ vote: { asked: 0, settled: 0 }, attack: { asked: 0, settled: 0 } });

/** What one packet after INITIALIZE tells that is new. */
export function eventsOf(view: SeatView, notice: Notice, now: Instant): readonly SeatEvent[] {
  const { situation, request } = notice;
  const { day } = view.game;
  const talk = (): SeatEvent[] => heardIn(view, 'talk', notice.talk, now);
  const whispers = (): SeatEvent[] => heardIn(view, 'whisper', notice.whispers, now);
  const dusk = (): SeatEvent[] => (situation?.day === day ? today(view, situation) : []);
  const isBeforeTalk = day === 0 && !view.talk.isFirstTalkOver;
  const events = (isBeforeTalk ? [whispers, talk] : [talk, dusk, whispers]).flatMap((tell) => tell());
  if (request === 'DAILY_FINISH') {
    events.push(...endTurn(view));
    view.talk.isFirstTalkOver ||= view.options.firstWhispers > 1;
  }
  return situation && situation.day !== day ? [...events, ...overnight(view, situation, request === 'FINISH')] : events;
}

/** Folds an event of the game into the view. */
function happen(view: SeatView, event: AiwolfEvent): AiwolfEvent {
  view.game = evolve(view.game, event);
  return event;
}

// ── Talk and whispering ──

function heardIn(view: SeatView, place: Place, said: readonly Utterance[], now: Instant): SeatEvent[] {
  const { day } = view.game;
  const phase = phaseAt(view, place);
  const fresh = said.filter((each) => {
    const key = `${place} ${each.day} ${each.day === 0 ? phase : ''} ${each.idx}`;
    const isNew = each.day === day && !view.talk.heard.has(key);
    view.talk.heard.add(key);
    return isNew;
  });
  return fresh.flatMap(({ by, turn, text }): SeatEvent[] => {
    const isAnytime = view.talk.anytime.has(place); // then the turns of each are its own
    const number = isAnytime ? 0 : turn;
    const id = turnId(phase, number, place);
    const speakers = fresh.flatMap((each) => (each.turn === turn && !isAnytime ? [each.by] : []));
    const begun = view.talk.asked.has(id) ? [] : beginTurn(view, { id, place, turn: number }, speakers, now);
    const answer: Answer = { by, says: [text] };
    if (view.talk.turn?.question.id === id) view.talk.turn.answers.push(answer);
    const isAsked = text !== OVER || (view.game.speech?.left[by] ?? 1) > 0; // who has nothing left is not asked, and stored as Over
    return [...begun, ...(isAsked ? [{ type: 'answered', question: id, answer, at: now } as const] : [])];
  });
}

const turnId = (phase: string, turn: number, place: Place): string => `${ROUND}${phase}/turn-${turn}/${place}`;

/** The talk or whispering that what is said now belongs to. */
function phaseAt({ game: { day }, options, talk, rounds }: SeatView, place: Place): string {
  if (place === 'talk') return `day-${day}`;
  if (day === 0) return phaseOfWhisper(0, talk.isFirstTalkOver ? 2 : 1);
  return phaseOfWhisper(day, options.whisperBeforeRevote ? rounds.attack.asked + 1 : 1);
}

interface Turn {
  readonly id: string;
  readonly place: Place;
  readonly turn: number;
}

function beginTurn(view: SeatView, { id, place, turn }: Turn, heard: readonly Seat[], now: Instant): SeatEvent[] {
  const { game, options, terms } = view;
  const isNext = turn > 0 && game.speech?.place === place && view.talk.turn !== undefined;
  const { left, skips, share } = isNext
    ? counted(game, { ...view.talk.turn!.question, answers: view.talk.turn!.answers, passed: [] }, { options, names: terms.names })
    : newCounts(game, place, options);
  const ended = endTurn(view);
  const { living, wolves } = rosterOf(game);
  const order = [...new Set([...heard, ...(place === 'talk' ? living : wolves)])];
  const ordered = happen(view, { type: 'ordered', place, turn, order, left, skips, ...(share ? { share } : {}), until: 0 });
  const rest = talkRest(game, options, place);
  const of = order.filter((seat) => left[seat]! > 0);
  const all = place === 'talk' ? rest : { ...rest, among: rosterOf(game).pack };
  const limit = { texts: place === 'talk' ? options.utterances : options.whispers, last: OVER };
  const question = view.talk.anytime.has(place)
    ? chat(id, of, now + options.talkMs, { ...all, limit })
    : round(id, of, now, options.turnMs, all);
  view.talk.asked.add(id);
  view.talk.turn = { question, answers: [] };
  return [...ended, ordered, ask(question)];
}

/** A talk or whispering at any time begins. The question is undefined when this seat has no part in it. */
export function beginPhase(
  view: SeatView,
  place: Place,
  now: Instant,
): { readonly question: Question | undefined; readonly events: readonly SeatEvent[] } {
  view.talk.anytime.add(place);
  const id = turnId(phaseAt(view, place), 0, place);
  const events = view.talk.asked.has(id) ? [] : [...endChoice(view), ...beginTurn(view, { id, place, turn: 0 }, [], now)];
  const question = view.talk.turn?.question;
  return { question: question?.id === id && question.of.includes(view.me) ? question : undefined, events };
}

/** A talk or whispering ends. */
export function endTurn(view: SeatView): SeatEvent[] {
  if (!view.talk.turn) return [];
  const { id } = view.talk.turn.question;
  view.talk.turn = undefined;
  return [{ type: 'settled', question: id, answers: [] }];
}

// ── Votes ──

const voteId = (view: SeatView, step: 'vote' | 'attack', nth: number): string =>
  `${ROUND}${phaseOfVote(`${step === 'vote' ? 'day' : 'night'}-${view.game.day}`, step, nth)}/${step}`;

/** The result of the latest round of a vote. */
function settleVote(view: SeatView, step: 'vote' | 'attack', votes: readonly Vote[]): SeatEvent[] {
  const rounds = view.rounds[step];
  const nth = Math.max(1, rounds.asked);
  if (rounds.settled >= nth) return [];
  rounds.settled = nth;
  const answers = votes.map(({ by, seat }): Answer => ({ by, says: [`seat:${seat}`] }));
  return [{ type: 'settled', question: voteId(view, step, nth), answers }];
}

// ── Days and nights ──

/** What is new since the last packet of the same day: rounds of votes, and who was executed. */
function today(view: SeatView, { living, executedToday, votesToday, attackVotesToday }: Situation): SeatEvent[] {
  const dead = view.game.living.filter((seat) => !living.includes(seat));
  const executed = executedToday ?? dead[0];
  return [
    ...(votesToday.length ? settleVote(view, 'vote', votesToday) : []),
    ...dead.map((seat) => happen(view, { type: seat === executed ? 'executed' : 'died', seat })),
    ...(attackVotesToday.length ? settleVote(view, 'attack', attackVotesToday) : []),
  ];
}

/** What is told in the morning of the next day, or at the end. */
function overnight(view: SeatView, situation: Situation, isEnd: boolean): SeatEvent[] {
  const events = [...endTurn(view), ...endChoice(view), ...(view.game.day > 0 ? evening(view, situation) : [])];
  const endNow = (foxCounts = view.options.foxCounts) =>
    isEnd ? ending({ ...view.game, living: [...view.game.living], roles: situation.roles }, { foxCounts }) : undefined;
  const isDecided = view.options.endCheck === 'at-once' && endNow() !== undefined;
  if (!isDecided) events.push(...night(view, situation), ...morning(view, situation));
  return isEnd ? [...events, happen(view, endNow() ?? endNow('nobody') ?? { type: 'ended', winner: 'draw', because: 'too-long' })] : events;
}

function evening(view: SeatView, { executed, votes, living, killed }: Situation): SeatEvent[] {
  const followers = view.game.living.filter((seat) => killed && seat !== executed && !living.includes(seat) && !killed.includes(seat));
  const settled = settleVote(view, 'vote', votes);
  if (view.game.executed.some((fate) => fate.day === view.game.day)) return settled;
  if (executed !== undefined)
    return [
      ...settled,
      happen(view, { type: 'executed', seat: executed }),
      ...followers.map((seat) => happen(view, { type: 'died', seat })),
    ];
  return [...settled, { type: 'spared', ...(votes.length || !view.options.voteVisible ? {} : { because: 'no-votes' as const }) }];
}

function night(view: SeatView, { attacked, attackVotes, divined, guarded }: Situation): SeatEvent[] {
  const { me, game, options } = view;
  const isHunt = game.roles[me] === 'werewolf' && game.day > 0 && rosterOf(game).wolves.length > 0;
  const events: AiwolfEvent[] = [
    ...(divined ? [{ type: 'gazed', by: me, seat: divined.seat } as const] : []),
    ...(guarded === undefined ? [] : [{ type: 'guarded', by: me, seat: guarded } as const]),
    ...(isHunt && options.nightTold ? [{ type: 'attacked', ...(attacked === undefined ? {} : { seat: attacked }) } as const] : []),
  ];
  return [...(isHunt ? settleVote(view, 'attack', attackVotes) : []), ...events.map((event) => happen(view, event))];
}

function morning(view: SeatView, { day, living, divined, identified }: Situation): SeatEvent[] {
  view.rounds = newRounds();
  const { me } = view;
  const dead = view.game.living.flatMap((seat) => (living.includes(seat) ? [] : [{ type: 'killed', seat } as const]));
  const events: AiwolfEvent[] = [
    { type: 'dawned', day },
    ...(day > 1 && !dead.length ? [{ type: 'unharmed' } as const] : dead),
    ...(divined ? [{ type: 'divined', by: me, ...divined } as const] : []),
    ...(identified ? [{ type: 'identified', by: me, ...identified } as const] : []),
  ];
  return events.map((event) => happen(view, event));
}

// ── This seat's own choices ──

const questionFrom = (asked: TableEvent | undefined): Question => {
  const { question } = asked as Extract<TableEvent, { readonly type: 'asked' }>;
  return { ...question, id: ROUND + question.id };
};

/** The vote of today, before it is asked for. */
export const voteToCome = (view: SeatView, now: Instant): Question => questionFrom(vote(view.game, 1, { ...view.context, now }));

/** The question that a request puts to this seat, and the events that come with it. */
export function askedFor(
  view: SeatView,
  request: Choice,
  now: Instant,
): { readonly question: Question; readonly events: readonly SeatEvent[] } {
  if (request === 'TALK' || request === 'WHISPER') return askedToSpeak(view, request === 'TALK' ? 'talk' : 'whisper', now);
  const events = [...endTurn(view), ...endChoice(view)];
  const context: Context = { ...view.context, now };
  const step = request.toLowerCase();
  if (step === 'vote' || step === 'attack') {
    const rounds = view.rounds[step];
    if (rounds.asked > 0) events.push(...settleVote(view, step, []), happen(view, { type: 'tied', vote: step }));
    rounds.asked++;
  }
  const asked =
    request === 'VOTE'
      ? vote(view.game, view.rounds.vote.asked, context)
      : request === 'DIVINE'
        ? askSeer(view.game, context)
        : request === 'GUARD'
          ? askBodyguard(view.game, context)
          : askWolves(view.game, view.rounds.attack.asked, context);
  const own = questionFrom(asked);
  if (request === 'DIVINE' || request === 'GUARD') view.choice = own.id;
  return { question: own, events: [...events, ask(own)] };
}

function askedToSpeak(view: SeatView, place: Place, now: Instant): { readonly question: Question; readonly events: readonly SeatEvent[] } {
  const phase = phaseAt(view, place);
  const turn = view.talk.spoken.get(phase) ?? 0;
  view.talk.spoken.set(phase, turn + 1);
  const id = turnId(phase, turn, place);
  const events = view.talk.turn?.question.id === id ? [] : [...endChoice(view), ...beginTurn(view, { id, place, turn }, [], now)];
  return { question: view.talk.turn!.question, events };
}

function endChoice(view: SeatView): SeatEvent[] {
  if (view.choice === undefined) return [];
  const question = view.choice;
  view.choice = undefined;
  return [{ type: 'settled', question, answers: [] }];
}
