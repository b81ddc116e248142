import { catalogue } from '@maw/games/catalogue.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Match } from '@maw/games/match/state.ts';
import { fromTape, summaryOf } from '@maw/gamemaster/tables/table-cache.ts';
import type { Store } from '@maw/store/store.ts';
import type { Played } from '../equipment/fakes/table.ts';
import { playthrough } from '../equipment/laws/playthrough.ts';
import { en, named } from '@maw/console/text/en.ts';

type Event = Played['tape'][number];

/** A seeded game of one rule set that is over, as an imported record may be: with names and speech that the HTTP API refuses. */
export interface StoredGame {
  readonly table: string;
  readonly set: RuleSet;
  readonly game: Played['game'];
  readonly tape: readonly Event[];
}

/** From right to left, as wide as a name can be, emoji, markup. */
const NAMES = ['\u05d3\u05e0\u05d4', 'W'.repeat(24), '\u{1f43a}\u{1f469}', '<b>Bo', 'Cy'];
const SPEECH = [
  '<img src=//elsewhere.example/x>',
  'x'.repeat(2_000),
  'a\u200b\u202eb \u{1f469}\u200d\u{1f52c}',
  '\u05e9\u05dc\u05d5\u05dd',
];

/** How many positions of a view are looked at. */
const POSITIONS = 8;

export interface LabelsAt {
  readonly n: number;
  /** As the slider says it. */
  readonly position: string;
  readonly labels: readonly string[];
}

/** Stores a game of every rule set. */
export async function storeGames({ tapes }: Store): Promise<readonly StoredGame[]> {
  const games = catalogue.map((set): StoredGame => {
    const { table } = playthrough(set, { players: set.players.usual, seed: `page ${set.name}`, options: {} }, 1);
    return { table: `stored-${set.name}`, set, game: table.game, tape: table.tape.map((event, n) => hostile(set, event, n)) };
  });
  for (const { table, tape } of games) {
    const recorded = tape.map((event, n) => ({ table, sequence: n + 1, at: 1_000, cause: 'import', event }));
    const summary = summaryOf(fromTape(table, recorded, catalogue).state);
    await tapes.append(table, 0, tape, { at: 1_000, cause: 'import', wake: undefined, summary });
  }
  return games;
}

function hostile({ language }: RuleSet, event: Event, n: number): Event {
  if (event.type === 'joined') return { ...event, name: NAMES[Number(event['seat'])] ?? `P${Number(event['seat'])}` };
  if (event.type !== 'answered' || language || !/\/(Village|Hideout|Table|Lobby)$/.test(String(event['question']))) return event;
  return { ...event, answer: { ...(event['answer'] as object), says: [SPEECH[n % SPEECH.length]!] } };
}

/** Some positions of a view, and what the label of every seat tells there of name, role, death and victory. */
export function seatLabels({ set, game, tape }: StoredGame, eye: Eye): readonly LabelsAt[] {
  const { out } = set.rules(set.players.usual, {});
  const view = game.view(tape, eye);
  return Array.from({ length: POSITIONS }, (_, i) => {
    const n = Math.ceil(((i + 1) * view.length) / POSITIONS);
    const match: Match = game.fold(view.slice(0, n)).game;
    const state = match.game as { readonly roles?: readonly string[]; readonly held?: readonly string[] };
    const shown = match.stage === 'round' ? undefined : match.results.at(-1)?.roles;
    const labels = match.names.map((name, seat) => {
      const role = [shown?.[seat], state.held?.[seat], state.roles?.[seat]].find((each) => each !== undefined && each !== 'hidden');
      const label = [
        name === undefined ? en.table.free : (set.language?.displayName(name, seat) ?? name),
        role !== undefined && named(en.roles, role),
        out(match.game).includes(seat) && en.table.dead,
        match.closed?.winners.includes(seat) && en.table.winner,
      ];
      return label.filter((part) => typeof part === 'string').join(', ');
    });
    return { position: `Moment ${n} of ${view.length}`, n, labels };
  });
}

const TOLD: ReadonlySet<string> = new Set([en.table.dead, en.table.winner, ...Object.values<string>(en.roles)]);

/** What of a seat's label `seatLabels` tells. */
export const toldOf = (label: string): string =>
  label
    .split(', ')
    .filter((part, i) => i === 0 || TOLD.has(part))
    .join(', ');
