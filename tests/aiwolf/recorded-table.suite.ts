/** A table whose game was played before: each eye sees the tape as far as the answers that stand there have come. */
import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { type Game, play, type Position } from '@maw/games/kernel/play.ts';
import type { Answer, Eye, Seat } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match, MatchEvent } from '@maw/games/match/state.ts';

type Event = { readonly type: string };

/** What a seat answered, as the rules store it; undefined: it did without. */
export interface Act {
  readonly seat: Seat;
  readonly question: string;
  readonly says: string | undefined;
}

interface State {
  readonly tape: readonly Event[];
  readonly game: Game<Match, Event>;
  /** How many events have happened, and where the table stands after them. */
  happened: number;
  position: Position<Match>;
  readonly joined: Set<Seat>;
  readonly acts: Act[];
  /** The questions of `acts`, each with its seat. */
  readonly answered: Set<string>;
}

export type RecordedTable = Awaited<ReturnType<typeof recordedTable>>;

/**
 * Takes the place of the gamemaster on the bus, with this one table.
 * @param options of the rule set, with which the game was played
 */
export async function recordedTable(bus: Bus, tape: readonly Event[], players: number, options: { readonly [name: string]: unknown }) {
  const game = play<Match, Event>(match(aiwolf.rules(players, options)));
  const s: State = { tape, game, happened: 0, position: game.begin(), joined: new Set(), acts: [], answered: new Set() };
  const views = new Map<Eye, readonly (readonly [number, Event])[]>();
  let table = '';
  const goOn = async (): Promise<void> => {
    if (!advance(s)) return;
    const head = { id: `moved-${s.happened}`, source: 'gamemaster', subject: table, at: Date.now() };
    await bus.publish(contracts.write('table.moved', { stage: 'round', phase: '', closed: [] }, head));
  };
  const types = ['table.open', 'table.join', 'table.act', 'table.view'] as const;
  await bus.consume('gamemaster', types, { concurrency: 100 }, async (message): Promise<Reply> => {
    table = message.subject;
    switch (message.type) {
      case 'table.open':
        return { performative: 'agree', data: { table } };
      case 'table.join':
        s.joined.add(message.data.seat!);
        await goOn();
        return { performative: 'agree', data: message.data };
      case 'table.act': {
        const { seat, question, says } = message.data;
        take(s, question, { by: seat, says });
        await goOn();
        return { performative: 'agree', data: { at: 0 } };
      }
      case 'table.view': {
        const { eye, after } = message.data;
        if (!views.has(eye)) views.set(eye, viewOf(s, eye));
        const later = views.get(eye)!.slice(after);
        const seen = later.filter(([at]) => at < s.happened).map(([, event], i) => ({ n: after + i + 1, at: 0, event }));
        return { performative: 'inform', data: { ...EMPTY_VIEW, seen, last: after + seen.length } };
      }
    }
  });
  return { acts: s.acts as readonly Act[] };
}

const summary = {
  table: 'recorded',
  rules: 'aiwolf',
  stage: 'round',
  round: 1,
  rounds: 1,
  players: [],
  free: 0,
  opened: 0,
  spectators: 'audience',
  afterwards: 'seats',
  insight: 'after',
};
const EMPTY_VIEW = { summary, more: false, asked: [], brief: '', alive: [] };

/** What an eye sees of the whole tape, each event with its place there. */
function viewOf({ tape, game }: State, eye: Eye): readonly (readonly [number, Event])[] {
  let position = game.begin();
  return tape.flatMap((event, at) => {
    const seen = game.see(position, event, eye);
    position = game.evolve(position, event);
    return seen ? [[at, seen] as const] : [];
  });
}

/** The answer as the rules store it, or that the seat does without. */
function take(s: State, question: string, answer: Answer): void {
  const { game, position } = s;
  const q = position.open.find(({ id }) => id === question);
  if (!q) throw new Error(`${question} is not open at the recorded table`);
  if (!answer.says.length) return note(s, { seat: answer.by, question, says: undefined });
  const [says] = (game.rules.admit?.(position.game, q, answer) ?? answer).says;
  note(s, { seat: answer.by, question, says });
}

function note({ acts, answered }: State, act: Act): void {
  acts.push(act);
  answered.add(`${act.question} ${act.seat}`);
}

/** Whether anything has happened: as much as does not depend on an answer that has not come. */
function advance(s: State): boolean {
  const before = s.happened;
  for (let event = s.tape[before]; event && !isWaiting(s, event); event = s.tape[s.happened]) {
    s.position = s.game.evolve(s.position, event);
    s.happened++;
  }
  return s.happened > before;
}

function isWaiting({ joined, answered, position }: State, e: Event | TableEvent | MatchEvent): boolean {
  const isMissing = (question: string, seat: Seat) => !answered.has(`${question} ${seat}`);
  const event = e as TableEvent | MatchEvent;
  if (event.type === 'joined') return !joined.has(event.seat);
  if (event.type === 'answered') return isMissing(event.question, event.answer.by);
  if (event.type === 'passed') return isMissing(event.question, event.seat);
  if (event.type !== 'settled') return false;
  // Not before all have been asked, even if the tape has no answer of theirs.
  return position.open.find(({ id }) => id === event.question)!.of.some((seat) => isMissing(event.question, seat));
}
