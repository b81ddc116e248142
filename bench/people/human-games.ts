import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from '@maw/games/english/reader.ts';
import { seatOf, stepOf } from '@maw/games/kernel/question.ts';
import { importMafia, type ShownRecord, showRecord } from '@maw/games/records/imported.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { benchmark } from '../benchmark.ts';
import { integer, text, UsageError } from '../options.ts';
import { type DaySuspicion, rankings, type RankedBy, suspicionsOf } from './suspicion.ts';

type Tape = ShownRecord['tape'];

/** A line of the day that somebody said. */
interface Line {
  readonly at: number;
  readonly by: number;
  readonly text: string;
  readonly phase: string;
}

const RANKED: readonly (readonly [RankedBy, string])[] = [
  ['belief', 'belief of `rules`'],
  ['received', 'votes received'],
];

export const humanGames = benchmark({
  name: 'human-games',
  description:
    'compares games of Mafia that people played with those of minds, and what the beliefs of rules make of them with roles hidden',
  options: {
    games: text('the folder with the games, as for `maw import mafia`', undefined, 'FOLDER'),
    minds: integer('games of rules that they are compared with', { fallback: 50 }),
  },
  async measure({ games: folder, minds }, { say }) {
    if (folder === undefined || !existsSync(folder)) throw new UsageError('--games names the folder with the games of people');
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
    const people = files.map((name) => showRecord(importMafia(JSON.parse(readFileSync(join(folder, name), 'utf8')))).tape);
    say(`${people.length} games of people`);
    const others: Tape[] = [];
    for (let i = 0; i < minds; i++) others.push(await gameOfRules(`people ${i}`));
    const days = people.flatMap((tape, game) => suspicionsOf(tape).map((one) => ({ ...one, game })));
    return { text: [behaviourTable(people, others), beliefTable(days)].join('\n\n'), json: days };
  },
});

/** A game of seven with two Werewolves, as most of the people's. Its clock is simulated: a mind thinks every 15 s at most. */
async function gameOfRules(seed: string): Promise<Tape> {
  const options = { dayMs: 120_000, nightMs: 45_000, parityWin: true, hurry: true };
  const recipe = findRecipe('rules');
  const { tape } = await playGame({ rules: ruleSetNamed('maw'), players: 7, options, seed, recipeFor: () => recipe, paceMs: 15_000 });
  return tape.map((event, n) => ({ n, at: Number(event['at'] ?? 0), event }));
}

const rolesOf = (tape: Tape): readonly string[] => tape.find(({ event }) => event.type === 'dealt')!.event['roles'] as readonly string[];
const namesOf = (tape: Tape): readonly string[] => tape.flatMap(({ event }) => (event.type === 'joined' ? [event['name'] as string] : []));
const modelOf = (tape: Tape): number => {
  const { seats } = tape[0]!.event['opening'] as { readonly seats: readonly { readonly kind: string }[] };
  return seats.every(({ kind }) => kind === 'mind') ? -1 : seats.findIndex(({ kind }) => kind === 'mind');
};

/** The answers of day phases: lines of talk, or votes. */
function answersOf(tape: Tape, step: 'talk' | 'vote'): readonly Line[] {
  return tape.flatMap(({ at, event }) => {
    const { question = '', answer } = event as {
      readonly question?: string;
      readonly answer?: { readonly by: number; readonly says: readonly string[] };
    };
    if (event.type !== 'answered' || stepOf(question) !== step || !question.includes('/day-')) return [];
    return [{ at, by: answer!.by, text: answer!.says[0] ?? '', phase: question.slice(0, -step.length - 1) }];
  });
}

/** The seats that may talk, once for each day on which they may. */
const livingIn = (tape: Tape): readonly number[] =>
  tape.flatMap(({ event }) => {
    const { id, of } = (event['question'] ?? {}) as { readonly id?: string; readonly of?: readonly number[] };
    return event.type === 'asked' && id?.includes('/day-') && stepOf(id) === 'talk' ? of! : [];
  });

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
const percent = (part: number, of: number): string => (of ? `${Math.round((100 * part) / of)} %` : 'none');
const isTold = ({ text: said }: Line): boolean => !/^\[(?:kept back|removed)\]$/.test(said);

interface Asked {
  readonly id: string;
  readonly options: readonly string[];
}

/** What a group of seats did in some games. */
function behaviourOf(tapes: readonly Tape[], counts: (tape: Tape, seat: number) => boolean) {
  const each = tapes.map((tape) => {
    const [roles, names] = [rolesOf(tape), namesOf(tape)];
    const talk = answersOf(tape, 'talk');
    const own = talk.filter(({ by }) => counts(tape, by));
    const votes = [...new Map(answersOf(tape, 'vote').map((vote) => [`${vote.phase} ${vote.by}`, vote])).values()];
    const asked = new Map(
      tape.flatMap(({ event }) => (event.type === 'asked' ? [event['question'] as Asked] : [])).map((one) => [one.id, one]),
    );
    const chanceOf = ({ phase }: Line): number => {
      const { options } = asked.get(`${phase}/vote`)!;
      return options.filter((option) => roles[seatOf(option)] === 'wolf').length / (options.length - 1);
    };
    const ofVillage = votes.filter(({ by }) => counts(tape, by) && roles[by] !== 'wolf');
    const acts = own.filter(isTold).map((line) => {
      const before = talk.slice(0, talk.indexOf(line)).slice(-2);
      return new Set(read(line.text, line.by, { names, roles: ['werewolf', 'villager', 'seer', 'mafia'] }, before).map(({ act }) => act));
    });
    const phases = [...Map.groupBy(talk, ({ phase }) => phase).values()];
    const silences = phases.map((lines) => lines.slice(1).map(({ at }, i) => (at - lines[i]!.at) / 1_000));
    return { own, acts, silences, phases: phases.length, seats: livingIn(tape).filter((seat) => counts(tape, seat)).length,
      hits: ofVillage.filter(({ text: on }) => roles[seatOf(on)] === 'wolf').length, votes: ofVillage.length,
      byChance: ofVillage.reduce((total, vote) => total + chanceOf(vote), 0), }; // prettier-ignore
  });
  const lines = each.flatMap(({ own }) => own);
  const words = lines.filter(isTold).map(({ text: said }) => said.split(/\s+/).filter(Boolean).length);
  const acts = each.flatMap((one) => one.acts);
  const gaps = each.flatMap(({ silences }) => silences.flat());
  const days = each.reduce((sum, { phases }) => sum + phases, 0);
  const perSeat = each.reduce((total, { seats }) => total + seats, 0);
  const sum = (of: (one: (typeof each)[number]) => number): number => each.reduce((total, one) => total + of(one), 0);
  return {
    'games, days': `${tapes.length}, ${days}`,
    'lines a day and living seat': (lines.length / perSeat).toFixed(1),
    'words a line (median; 90 %)': `${quantile(words, 0.5)}; ${quantile(words, 0.9)}`,
    'seconds between lines of the table (median)': quantile(gaps, 0.5).toFixed(0),
    'longest silence of a day in seconds (median)': quantile(each.flatMap(({ silences }) => silences.flatMap((all) => (all.length ? [Math.max(...all)] : []))), 0.5).toFixed(0), // prettier-ignore
    'votes of the village on a wolf at random': percent(
      sum(({ byChance }) => byChance),
      sum(({ votes }) => votes),
    ),
    'votes of the village on a wolf': `${percent(
      sum(({ hits }) => hits),
      sum(({ votes }) => votes),
    )} of ${sum(({ votes }) => votes)}`,
    ...Object.fromEntries(
      ['accuses', 'defends', 'calls-vote', 'own-vote', 'claims-role', 'asks', 'asks-all', 'agrees', 'calls-bot'].map((act) => [
        `lines with \`${act}\``,
        percent(acts.filter((all) => (all as ReadonlySet<string>).has(act)).length, acts.length),
      ]),
    ),
    'lines without an act that is understood': percent(acts.filter((all) => !all.size).length, acts.length),
  };
}

function behaviourTable(people: readonly Tape[], minds: readonly Tape[]): string {
  const groups = [
    behaviourOf(people, (tape, seat) => seat !== modelOf(tape)),
    behaviourOf(people, (tape, seat) => seat === modelOf(tape)),
    behaviourOf(minds, () => true),
  ];
  const rows = Object.keys(groups[0]!).map((name) => [
    name,
    ...groups.map((group) => (group as { readonly [row: string]: string })[name] ?? ''),
  ]);
  return tableOf([['', 'people', 'the model among them', '`rules`'], ...rows]);
}

function beliefTable(days: readonly (DaySuspicion & { readonly game: number })[]): string {
  const rows = [1, 2, 3, 0].flatMap((day) => {
    const of = days.filter((one) => !day || one.day === day);
    return RANKED.map(([by, name]) => {
      const { auc, precision, chance, games, cases } = rankings(of, by);
      return [day ? `day ${day}` : 'all days', name, auc, precision, chance, `${games}, ${cases}`];
    });
  });
  return tableOf([['', 'ranked by', 'AUC (95 %)', 'average precision (95 %)', 'chance', 'games, days'], ...rows]);
}

const tableOf = ([head, ...rows]: readonly (readonly string[])[]): string =>
  [head!, head!.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
