import { createHash } from 'node:crypto';
import { contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import { opaqueId } from '@maw/bus/opaque-id.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import { nameOption } from '@maw/games/kernel/narration.ts';
import { type Open, optionsFor, phaseOf, type Seat } from '@maw/games/kernel/question.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import { cards } from '@maw/recipes/recipes.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Standing } from '../state/game.ts';
import { applyEvents, type AskedDecision, type SeenEvent, type TableState } from '../state/table-state.ts';
import { finishedMessages } from './after-game.ts';
import { isPublic, isSecretQuestion, publicPhase, publicPlaceOf } from './public-place.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { type EnvelopeOf, publicLines, roomMessages } from './room-messages.ts';
import { roomFor } from '../state/room-log.ts';

/** Who said something that everybody may read, and to whom. What was said is not in it. */
export interface PublicTalk {
  readonly seat: Seat;
  /** The first other player whom the line names; undefined: everybody. */
  readonly to?: Seat;
}

/** The messages that follow from an append. The same append gives the same ids, so that publishing is idempotent. */
export interface DerivedMessages {
  /** Rooms, lines, invitations and the doorbell, in the trace of their cause. */
  readonly notices: readonly Message[];
  /** Questions to minds: each begins a trace of its own. */
  readonly decisions: readonly Message<'seat.decide'>[];
  /** Those among them that not everybody at the table may know of: they are not traced. */
  readonly secret: ReadonlySet<Message>;
  /** Who spoke to whom where everybody hears it. */
  readonly talk?: readonly PublicTalk[];
  /** The public phase, when it has changed. */
  readonly newPhase?: string;
}

/** Applies an append to the state and derives its messages. @param rulesText the rules for minds, rendered with the table's options */
export function deriveMessages(
  state: TableState,
  batch: readonly RecordedEvent[],
  rulesText: string,
  recipes: readonly RecipeCard[] = cards,
): DerivedMessages {
  const before = state.standing;
  const counted = new Map(state.roomLog.counts);
  applyEvents(state, batch);
  const last = batch.at(-1);
  if (!last) return { notices: [], decisions: [], secret: new Set() };
  const about = (kind: string, sequence: number, at: number, replyBy?: number) => ({
    id: messageId(state, sequence, kind),
    source: 'gamemaster',
    subject: state.table,
    at,
    causeid: last.cause,
    sequence,
    replyBy,
  });
  const told: Message[] = [];
  const secret = new Set<Message>();
  const learners = {
    rulesText,
    recipes,
    playersFor: (seat: Seat) => playersOf(state, seat),
    seedFor: (seat: Seat, what: string) => seedOf(state.standing.game.opening.seed, seat, what),
  };
  const isMoved = !isTalk(state, batch);
  let standing = before;
  for (const recorded of batch) {
    const after = state.game.evolve(standing, recorded.event);
    for (const { message, isSecret } of roomMessages(state, recorded, { before: standing, after }, counted, isMoved, about)) {
      told.push(message);
      if (isSecret) secret.add(message);
    }
    told.push(...invitations(recorded, after, about));
    for (const message of finishedMessages(recorded, after, about, learners)) {
      told.push(message);
      secret.add(message); // nobody shall learn from a trace which seats minds play that learn
    }
    standing = after;
  }
  if (isMoved) told.push(contracts.write('table.moved', moved(state, before, batch), about('moved', last.sequence, last.at)));
  const asked = decisionsAfter(state, before, batch).map((one, index) => {
    const data = decision(state, one, rulesText);
    const own = { seat: one.seat, phase: one.phase, sequence: last.sequence, index };
    state.decisions.push(own);
    const message = contracts.write('seat.decide', data, about(kindOf(own), last.sequence, last.at, data.until));
    if (one.open.every(isSecretQuestion)) secret.add(message);
    return message;
  });
  return {
    notices: told,
    decisions: asked,
    secret,
    talk: publicTalk(state, batch),
    ...phaseReached(state, before, batch),
  };
}

/** The public phase, when an append has begun the table or changed it. */
function phaseReached({ standing }: TableState, before: Standing, [first]: readonly RecordedEvent[]): { newPhase?: string } {
  const { phase } = publicPlaceOf(standing);
  return first!.sequence > 1 && publicPlaceOf(before).phase === phase ? {} : { newPhase: phase };
}

/** Applies an append whose messages were published before. */
export function replayEvents(state: TableState, batch: readonly RecordedEvent[]): void {
  const before = state.standing;
  applyEvents(state, batch);
  for (const [index, { seat, phase }] of decisionsAfter(state, before, batch).entries()) {
    state.askedAt.set(seat, state.views.get(seat)!.seen.length);
    state.decisions.push({ seat, phase, sequence: batch.at(-1)!.sequence, index });
  }
}

/** The sequence of the event that opens a table. */
const FIRST = 1;

/** Invitations to minds: to all when the table opens, to the missing ones when the Lobby is extended. */
function invitations({ event, at }: RecordedEvent, { game, open }: Standing, about: EnvelopeOf): Message[] {
  if (event.type !== 'opened' && !(isExtension(event) && game.stage === 'lobby')) return [];
  const { opening, names } = game;
  const until = Math.max(...open.map((q) => q.until), at);
  return opening.seats.flatMap(({ kind, recipe, parameters, model, name }, seat) => {
    if (kind !== 'mind' || names[seat] !== undefined) return [];
    const data: Data<'seat.invited'> = {
      seat,
      rules: opening.rules,
      taken: [...opening.seats.flatMap((plan) => plan.name ?? []), ...names.filter((taken) => taken !== undefined)],
      seed: seedOf(opening.seed, seat, 'name'),
      until: event.type === 'opened' ? at + opening.lobbyMs : until,
      ...omitUndefined({ recipe, parameters, model, name }),
    };
    // The same id as when the table was opened: a player that joins for both joins once.
    return [contracts.write('seat.invited', data, about(`invite-${seat}`, FIRST, at, data.until))];
  });
}

/** Whether an append consists of lines only: the chatroom announces those. */
const isTalk = ({ lines }: TableState, batch: readonly RecordedEvent[]): boolean =>
  batch.every(({ event, sequence }) => event.type === 'answered' && (lines.get(sequence)?.length ?? 0) > 0);

/** The doorbell: only what everybody at the table may know. */
function moved(state: TableState, before: Standing, batch: readonly RecordedEvent[]): Data<'table.moved'> {
  const { standing } = state;
  const lines = publicLines(state, batch);
  const open = new Set(standing.open.map((q) => q.id));
  return {
    ...(standing.pause && { isPaused: true }),
    stage: standing.game.stage,
    phase: publicPhase(standing),
    closed: before.open.filter((q) => isPublic(q) && !open.has(q.id)).map((q) => q.id),
    ...(lines.length ? { lines } : {}),
  };
}

/** Whether an event extends the open questions. */
const isExtension = ({ type }: { readonly type: string }): boolean => type === 'delayed' || type === 'resumed';

/** A decision request to a mind: all questions open to the seat in a phase that has a new one. */
interface Asked {
  readonly seat: Seat;
  readonly phase: string;
  readonly open: readonly Open[];
}

/** The decisions an append asks for. */
function decisionsAfter(state: TableState, before: Standing, batch: readonly RecordedEvent[]): readonly Asked[] {
  const { game, standing } = state;
  if (standing.game.stage !== 'round' || game.isOver(standing) || standing.pause) return [];
  // After a delay, a pause or a handover all open questions are asked again, with their current deadlines.
  const isDelayed = batch.some(({ event }) => isExtension(event));
  const handed = batch.flatMap(({ event }) => (event.type === 'handed' && event['to'] === 'mind' ? [event['seat'] as Seat] : []));
  return standing.game.holders.flatMap((holder, seat) => {
    if (holder !== 'mind') return [];
    const known = new Set(isDelayed || handed.includes(seat) ? [] : game.asked(before, seat).map((q) => q.id));
    const open = game.asked(standing, seat);
    const phases = new Set(open.filter((q) => !known.has(q.id)).map((q) => phaseOf(q.id)));
    return [...phases].map((phase) => ({ seat, phase, open: open.filter((q) => phaseOf(q.id) === phase) }));
  });
}

function decision(state: TableState, { seat, phase, open }: Asked, rulesText: string): Data<'seat.decide'> {
  const { opening } = state.standing.game;
  const { recipe, parameters, model } = opening.seats[seat]!;
  const view = state.views.get(seat)!;
  // When it exceeds a message (a seat that a person held for long), only the latest is sent; the mind fetches the rest.
  const news = fitInPage(
    view.seen
      .slice(state.askedAt.get(seat) ?? 0)
      .map(seenData)
      .toReversed(),
  ).toReversed();
  state.askedAt.set(seat, view.seen.length);
  return {
    seat,
    phase,
    round: state.standing.game.round,
    questions: open.map((q) => askingOf(state, q, seat)),
    brief: briefOf(state, seat),
    rules: { name: opening.rules, text: rulesText },
    players: playersOf(state, seat),
    news,
    after: view.seen.length - news.length,
    ...omitUndefined({ recipe, parameters, model }),
    seed: seedOf(opening.seed, seat, phase),
    ...(opening.options['pace'] === 'people' ? { pace: 'people' as const } : {}),
    until: Math.max(...open.map((q) => q.until)),
  };
}

/** The id of the message that asks for a decision. */
export const decisionId = (state: TableState, asked: AskedDecision): string => messageId(state, asked.sequence, kindOf(asked));

const kindOf = ({ seat, index }: AskedDecision): string => `decide-${seat}-${index}`;

const messageId = ({ table, standing }: TableState, sequence: number, kind: string): string =>
  opaqueId(table, standing.game.opening.seed, 'message', sequence, kind);

/** A seed for a seat, derived from the table's: reproducible, and reveals nothing of the dice. */
export const seedOf = (seed: string, seat: Seat, what: string): string =>
  createHash('sha256').update(`${seed}|mind|${seat}|${what}`).digest('hex').slice(0, 16);

/** A question as one seat sees it: its own options, with player names. */
export function askingOf(state: TableState, q: Open, seat: Seat): Data<'seat.decide'>['questions'][number] {
  const room = roomFor(q, seat);
  return {
    id: q.id,
    verb: q.verb,
    options: optionsFor(q, seat).map((is) => ({ is, named: namedOption(state, is) })),
    pick: q.pick,
    until: q.until,
    final: q.final,
    maxChars: q.maxChars,
    ...(q.grace ? { graceMs: q.grace.ms } : {}),
    ...(q.limit ? { last: q.limit.last } : {}),
    ...(room === undefined ? {} : { room }),
    ...(isSecretQuestion(q) ? { secret: true } : {}),
  };
}

/** `seat:3` as the name of its player; other options as they are. */
const namedOption = ({ standing }: TableState, option: string): string =>
  nameOption(option, (seat) => standing.game.names[seat] ?? `Seat ${seat}`);

/** What a seat knows of itself, from its own view only. */
export function briefOf(state: TableState, seat: Seat): string {
  const { standing } = state.views.get(seat)!;
  return state.rules.brief(
    standing.game,
    seat,
    standing.game.names.map((name, at) => name ?? `Seat ${at}`),
  );
}

/** All players as an eye knows them. */
export function playersOf(state: TableState, eye: Seat | 'audience' | 'narrator'): Data<'seat.decide'>['players'] {
  const { standing } = state.views.get(eye)!;
  const out = state.rules.out(standing.game);
  return standing.game.names.map((name, seat) => ({ seat, name: name ?? `Seat ${seat}`, alive: !out.includes(seat) }));
}

/** A seen event in message format. */
export const seenData = ({ n, at, event, text, line, isPublic: isForAll }: SeenEvent): Data<'seat.decide'>['news'][number] => ({
  n,
  at,
  event: event as { type: string },
  ...(text === undefined ? {} : { text }),
  ...(line === undefined ? {} : { room: line.room, line: line.line }),
  ...(isForAll ? { isPublic: true } : {}),
});

/** The public talk of an append. Choices that are announced are no talk. By night nothing is told by seat, not even the line that began it. */
export function publicTalk({ lines, standing }: TableState, batch: readonly RecordedEvent[]): readonly PublicTalk[] {
  if (!publicPhase(standing)) return [];
  const said = batch.flatMap(({ sequence }) => lines.get(sequence) ?? []);
  return said.flatMap(({ isPublic: isHeard, by, says, text }) => {
    if (!isHeard || by === undefined || says) return [];
    const to = addresseeOf(text, by, standing.game.names);
    return [to === undefined ? { seat: by } : { seat: by, to }];
  });
}

function addresseeOf(text: string, by: Seat, names: readonly (string | undefined)[]): Seat | undefined {
  const named = names.flatMap((name, seat) => {
    const at = name === undefined || seat === by ? -1 : text.search(new RegExp(namePattern(name), 'iu'));
    return at < 0 ? [] : [{ seat, at }];
  });
  return named.toSorted((one, other) => one.at - other.at)[0]?.seat;
}
