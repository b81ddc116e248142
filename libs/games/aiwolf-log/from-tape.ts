import { isTableEvent } from '../kernel/play.ts';
import { type Answer, type Seat, seatOf, stepOf } from '../kernel/question.ts';
import type { TableEvent } from '../kernel/rules.ts';
import type { LogLine } from './log.ts';
import { rosterOf } from '../aiwolf/roster.ts';
import { type Aiwolf, type AiwolfEvent, evolve, initialState, type Role, speciesOf } from '../aiwolf/state.ts';
import { OVER } from '../aiwolf/turns.ts';

type Event = { readonly type: string };

/**
 * The log of a game that was played and is over: of bare events, as `play` makes them of these rules, or of one round of a match.
 * @param tape whole, as the narrator sees it
 * @param names by seat
 * @param round which round of a match, from 1
 */
export function logOfTape(tape: readonly Event[], names: readonly string[], round = 1): LogLine[] {
  const scribe = scribing(names);
  for (const event of roundOf(tape, round)) {
    if (isTableEvent(event)) scribe.table(event);
    else if (isOfGame(event)) scribe.game(event);
  }
  return scribe.lines;
}

/** The events of one round with the ids of its own rules; of a tape without rounds, all. */
function roundOf(tape: readonly Event[], round: number): readonly Event[] {
  const isMark = (type: string) => (event: Event) => event.type === type && (event as unknown as { round: number }).round === round;
  const from = tape.findIndex(isMark('began'));
  if (from < 0) return tape;
  const to = tape.findIndex(isMark('scored'));
  const prefix = `round-${round}/`;
  const bare = (id: string) => (id.startsWith(prefix) ? id.slice(prefix.length) : id);
  return tape.slice(from + 1, to < 0 ? tape.length : to).map((event) => {
    if (!isTableEvent(event) || event.type === 'delayed') return event;
    return event.type === 'asked'
      ? { ...event, question: { ...event.question, id: bare(event.question.id) } }
      : { ...event, question: bare(event.question) };
  });
}

const OF_GAME: { readonly [type in AiwolfEvent['type']]: true } = {
  dealt: true,
  dawned: true,
  killed: true,
  unharmed: true,
  ordered: true,
  tied: true,
  executed: true,
  spared: true,
  gazed: true,
  guarded: true,
  attacked: true,
  divined: true,
  identified: true,
  ended: true,
};
const isOfGame = (event: { readonly type: string }): event is AiwolfEvent => Object.hasOwn(OF_GAME, event.type);

/** Writes a log down as a game goes on. */
function scribing(names: readonly string[]) {
  const lines: LogLine[] = [];
  let s: Aiwolf = initialState;
  const open = new Map<string, Answer[]>();
  let numbers = { talk: 0, whisper: 0 };
  /** Whether the statuses of the day are still to be written: who died in the night is told a little after the day has begun. */
  let isMorning = false;

  const roleOf = (seat: Seat) => s.roles[seat] as Role;

  function statuses(): void {
    isMorning = false;
    for (const seat of s.roles.keys())
      lines.push({
        day: s.day,
        type: 'status',
        seat,
        role: roleOf(seat),
        alive: s.living.includes(seat),
        name: names[seat] ?? `Seat ${seat}`,
      });
  }

  /** A turn that is over. Who had nothing left to say says `Over` in its place. */
  function turn(answers: readonly Answer[]): void {
    const { place, turn: number, order, left } = s.speech!;
    for (const seat of order) {
      const text = left[seat]! > 0 ? answers.find(({ by }) => by === seat)!.says[0]! : OVER;
      lines.push({ day: s.day, type: place, number: numbers[place]++, turn: number, seat, text });
    }
  }

  const votes = (type: 'vote' | 'attackVote', answers: readonly Answer[]): void => {
    for (const { by, says } of answers.toSorted((a, b) => a.by - b.by))
      lines.push({ day: s.day, type, seat: by, target: seatOf(says[0]!) });
  };

  function settled(id: string, answers: readonly Answer[]): void {
    if (isMorning) statuses();
    const step = stepOf(id);
    if (step === 'talk' || step === 'whisper') turn(answers);
    else if (step === 'vote' || step === 'attack') votes(step === 'vote' ? 'vote' : 'attackVote', answers);
  }

  /** What a game event is written as; the state is that before it. */
  function written(e: AiwolfEvent): readonly LogLine[] {
    const { day } = s;
    switch (e.type) {
      case 'executed':
        return [{ day, type: 'execute', seat: e.seat, role: roleOf(e.seat) }];
      case 'gazed':
        return [{ day, type: 'divine', seat: e.by, target: e.seat, found: speciesOf(roleOf(e.seat)) }];
      case 'guarded':
        return [{ day, type: 'guard', seat: e.by, target: e.seat, role: roleOf(e.seat) }];
      case 'attacked':
        return [{ day, type: 'attack', target: e.seat, died: e.seat !== undefined && e.seat !== s.guard?.seat }];
      case 'ended': {
        const { humans, wolves } = rosterOf(s);
        return [{ day, type: 'result', humans: humans.length, wolves: wolves.length, winner: e.winner }];
      }
      case 'dealt':
      case 'dawned':
      case 'killed':
      case 'unharmed':
      case 'ordered':
      case 'tied':
      case 'spared':
      case 'divined':
      case 'identified':
        return []; // said otherwise, or not at all
    }
  }

  return {
    lines,

    table(e: TableEvent): void {
      if (e.type === 'asked') open.set(e.question.id, []);
      else if (e.type === 'answered') open.get(e.question)?.push(e.answer);
      else if (e.type === 'settled') settled(e.question, [...(open.get(e.question) ?? []), ...(e.defaulted ?? [])]);
    },

    game(e: AiwolfEvent): void {
      const isNight = e.type !== 'killed' && e.type !== 'unharmed';
      if (e.type === 'ended' ? lines.at(-1)?.type !== 'status' || isMorning : isMorning && isNight) statuses();
      lines.push(...written(e));
      s = evolve(s, e);
      if (e.type === 'dealt' || e.type === 'dawned') isMorning = true;
      if (e.type === 'dawned') numbers = { talk: 0, whisper: 0 };
      if (e.type === 'ordered' && !e.order.some((seat) => e.left[seat]! > 0)) turn([]);
    },
  };
}
