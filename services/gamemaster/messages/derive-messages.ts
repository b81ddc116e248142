import { createHash } from 'node:crypto';
import { contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import { type Open, optionsFor, phaseOf, type Seat } from '@maw/games/kernel/question.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { type TableState, type SeenEvent, type Standing, applyEvents } from '../state/table-state.ts';
import { fitInPage } from './page.ts';
import { type EnvelopeOf, roomMessages } from './room-messages.ts';
import { roomFor } from '../state/room-log.ts';

/** What follows from an append: messages whose ids are made of the table and the sequence, so that saying them twice does no harm. */
export interface DerivedMessages {
  /** Rooms, lines and the doorbell: part of whatever trace made them happen. */
  readonly notices: readonly Message[];
  /** Questions to minds: each begins a trace of its own. */
  readonly decisions: readonly Message<'seat.decide'>[];
  /** What everybody at the table knows that it has come to, where that has changed. */
  readonly newPhase?: string;
}

/** Writes an append into the ledger and says what follows from it. The rules’ text is rendered by the caller, who knows the options. */
export function deriveMessages(ledger: TableState, batch: readonly RecordedEvent[], rulesText: string): DerivedMessages {
  const before = ledger.standing;
  const counted = new Map(ledger.roomLog.counts);
  applyEvents(ledger, batch);
  const last = batch.at(-1);
  if (!last) return { notices: [], decisions: [] };
  const about = (kind: string, sequence: number, at: number, replyBy?: number) => ({
    id: `${ledger.table}/${sequence}/${kind}`,
    source: 'gamemaster',
    subject: ledger.table,
    at,
    causeid: last.cause,
    sequence,
    replyBy,
  });
  const told: Message[] = [];
  let standing = before;
  for (const recorded of batch) {
    const after = ledger.game.evolve(standing, recorded.event);
    told.push(...roomMessages(ledger, recorded, { before: standing, after }, counted, about), ...invitations(recorded, after, about));
    standing = after;
  }
  if (!isTalk(ledger, batch)) told.push(contracts.write('table.moved', moved(ledger, before), about('moved', last.sequence, last.at)));
  // The ids name no phase: a message's id is seen in traces, and who is asked by night is a wolf.
  const asked = askedBy(ledger, before, batch).map((one, i) => {
    const data = decision(ledger, one, rulesText);
    return contracts.write('seat.decide', data, about(`decide-${one.seat}-${i}`, last.sequence, last.at, data.until));
  });
  const reached = placeOf(ledger.standing);
  return { notices: told, decisions: asked, ...(batch[0]!.sequence > 1 && placeOf(before) === reached ? {} : { newPhase: reached }) };
}

/** Writes an append into the ledger without saying anything: for what was written, and said, before. */
export function replayEvents(ledger: TableState, batch: readonly RecordedEvent[]): void {
  const before = ledger.standing;
  applyEvents(ledger, batch);
  for (const { seat } of askedBy(ledger, before, batch)) ledger.askedAt.set(seat, ledger.views.get(seat)!.seen.length);
}

/** The minds that are to join: when the table is opened, and those that have not when the Lobby is put off. */
function invitations({ event, sequence, at }: RecordedEvent, { game, open }: Standing, about: EnvelopeOf): Message[] {
  if (event.type !== 'opened' && !(event.type === 'delayed' && game.stage === 'lobby')) return [];
  const { opening, names } = game;
  const until = Math.max(...open.map((q) => q.until), at);
  return opening.seats.flatMap(({ kind, recipe, model, name }, seat) => {
    if (kind !== 'mind' || names[seat] !== undefined) return [];
    const data: Data<'seat.invited'> = {
      seat,
      rules: opening.rules,
      taken: [...opening.seats.flatMap((plan) => plan.name ?? []), ...names.filter((taken) => taken !== undefined)],
      seed: seedOf(opening.seed, seat, 'name'),
      until: event.type === 'opened' ? at + opening.lobbyMs : until,
    };
    const how = {
      ...(recipe === undefined ? {} : { recipe }),
      ...(model === undefined ? {} : { model }),
      ...(name === undefined ? {} : { name }),
    };
    return [contracts.write('seat.invited', { ...data, ...how }, about(`invite-${seat}`, sequence, at, data.until))];
  });
}

/** Whether nothing came of an append but lines: the chatroom rings for those, so the table need not. */
const isTalk = ({ lines }: TableState, batch: readonly RecordedEvent[]): boolean =>
  batch.every(({ event, sequence }) => event.type === 'answered' && (lines.get(sequence)?.length ?? 0) > 0);

/** The doorbell. It says no more than everybody at the table may know. */
function moved({ standing }: TableState, before: Standing): Data<'table.moved'> {
  const open = new Set(standing.open.map((q) => q.id));
  return {
    stage: standing.game.stage,
    phase: publicPhase(standing),
    closed: before.open.filter((q) => isPublic(q) && !open.has(q.id)).map((q) => q.id),
  };
}

const isPublic = (q: Open): boolean => q.among === 'table';

const publicPhase = ({ open }: Standing): string => [...new Set(open.filter(isPublic).map((q) => phaseOf(q.id)))].join(' ');

/** Where a table stands, for everybody: by night its questions are secret, and it is in a round. */
const placeOf = (standing: Standing): string => publicPhase(standing) || standing.game.stage;

/** A mind that is asked: everything open to the seat in a phase in which something new is. */
interface Asked {
  readonly seat: Seat;
  readonly phase: string;
  readonly open: readonly Open[];
}

/** Which minds an append leads to asking. */
function askedBy(ledger: TableState, before: Standing, batch: readonly RecordedEvent[]): readonly Asked[] {
  const { game, standing } = ledger;
  if (standing.game.stage !== 'round' || game.isOver(standing)) return [];
  // Who is asked anew hears of all that is open, with the time there is for it now.
  const isDelayed = batch.some(({ event }) => event.type === 'delayed');
  const handed = batch.flatMap(({ event }) => (event.type === 'handed' && event['to'] === 'mind' ? [event['seat'] as Seat] : []));
  return standing.game.holders.flatMap((holder, seat) => {
    if (holder !== 'mind') return [];
    const known = new Set(isDelayed || handed.includes(seat) ? [] : game.asked(before, seat).map((q) => q.id));
    const open = game.asked(standing, seat);
    const phases = new Set(open.filter((q) => !known.has(q.id)).map((q) => phaseOf(q.id)));
    return [...phases].map((phase) => ({ seat, phase, open: open.filter((q) => phaseOf(q.id) === phase) }));
  });
}

function decision(ledger: TableState, { seat, phase, open }: Asked, rulesText: string): Data<'seat.decide'> {
  const { opening } = ledger.standing.game;
  const plan = opening.seats[seat]!;
  const sight = ledger.views.get(seat)!;
  // Too much for one message (a seat that a person held for long): the latest is told, the rest is asked for by whoever lacks it.
  const news = fitInPage(
    sight.seen
      .slice(ledger.askedAt.get(seat) ?? 0)
      .map(seenData)
      .toReversed(),
  ).toReversed();
  ledger.askedAt.set(seat, sight.seen.length);
  return {
    seat,
    phase,
    round: ledger.standing.game.round,
    questions: open.map((q) => askingOf(ledger, q, seat)),
    brief: briefOf(ledger, seat),
    rules: { name: opening.rules, text: rulesText },
    players: playersOf(ledger, seat),
    news,
    after: sight.seen.length - news.length,
    ...(plan.recipe === undefined ? {} : { recipe: plan.recipe }),
    ...(plan.model === undefined ? {} : { model: plan.model }),
    seed: seedOf(opening.seed, seat, phase),
    until: Math.max(...open.map((q) => q.until)),
  };
}

/** What a seat may know of the seed of its table: the same for the same table played again, and nothing of the dice. */
const seedOf = (seed: string, seat: Seat, what: string): string =>
  createHash('sha256').update(`${seed}|mind|${seat}|${what}`).digest('hex').slice(0, 16);

/** A question as `seat` is asked it: its own options, by the names people use. */
export function askingOf(ledger: TableState, q: Open, seat: Seat): Data<'seat.decide'>['questions'][number] {
  const room = roomFor(q, seat);
  return {
    id: q.id,
    verb: q.verb,
    options: optionsFor(q, seat).map((is) => ({ is, named: namedOption(ledger, is) })),
    pick: q.pick,
    until: q.until,
    final: q.final,
    maxChars: q.maxChars,
    ...(room === undefined ? {} : { room }),
  };
}

/** How people call an option: `seat:3` by the name of who sits there, everything else by itself. */
function namedOption({ standing }: TableState, option: string): string {
  const seat = /^seat:(\d+)$/.exec(option)?.[1];
  return seat === undefined ? option : (standing.game.names[Number(seat)] ?? `Seat ${seat}`);
}

/** What a seat knows of itself, from nothing but its own view. */
export function briefOf(ledger: TableState, seat: Seat): string {
  const { standing } = ledger.views.get(seat)!;
  return ledger.rules.brief(
    standing.game,
    seat,
    standing.game.names.map((name, at) => name ?? `Seat ${at}`),
  );
}

/** Everybody at the table as an eye knows them. */
export function playersOf(ledger: TableState, eye: Seat | 'audience' | 'narrator'): Data<'seat.decide'>['players'] {
  const { standing } = ledger.views.get(eye)!;
  const out = ledger.rules.out(standing.game);
  return standing.game.names.map((name, seat) => ({ seat, name: name ?? `Seat ${seat}`, alive: !out.includes(seat) }));
}

/** A seen event as messages carry it. */
export const seenData = ({ n, at, event, text, line }: SeenEvent): Data<'seat.decide'>['news'][number] => ({
  n,
  at,
  event: event as { type: string },
  ...(text === undefined ? {} : { text }),
  ...(line === undefined ? {} : { room: line.room, line: line.line }),
});
