import { diceOf } from '@maw/games/kernel/dice.ts';
import { sideOf } from '@maw/games/roles.ts';
import { type GameRecord, gamesOf, type NarratedEvent } from '../measures/game-record.ts';
import type { Item } from './item.ts';
import { type Question, QUESTIONS } from './questions.ts';

/** An event as the narrator sees it, in words where it has some. */
export interface NarratedEntry {
  readonly event: NarratedEvent;
  readonly text?: string | undefined;
  readonly isPublic?: boolean | undefined;
}

/** How many public lines before it a judge sees. */
const BEFORE = 12;

/**
 * What is to be judged in the finished games of some tables, shuffled: the same seed makes the same items.
 * @param sample how many are drawn of them; all by default
 */
export function itemsOf(
  question: string,
  tables: ReadonlyMap<string, readonly NarratedEntry[]>,
  { seed, sample }: { readonly seed: string; readonly sample?: number | undefined },
): readonly Item[] {
  const all = [...tables].flatMap(([table, tape]) =>
    gamesOf(
      table,
      tape.map(({ event }) => event),
    ).flatMap((game) => itemsOfGame(question, game, tape, seed)),
  );
  const shuffled = diceOf(seed, `items of ${question}`).shuffle(all);
  return shuffled.slice(0, sample).map((item, i) => ({ ...item, item: `${question}-${i + 1}` }));
}

/** What a seat said or did. */
interface Act {
  readonly question: string;
  readonly seat: number;
  readonly words: string;
  readonly isSpeech: boolean;
  readonly before: readonly string[];
  readonly isOnTeam: boolean;
}

function itemsOfGame(question: string, game: GameRecord, tape: readonly NarratedEntry[], seed: string): readonly Item[] {
  const { table, round, rules, roles, names } = game;
  const terms = QUESTIONS[question]!;
  const numbers = diceOf(seed, `players of ${table}/${round}`).shuffle(names.map((_, i) => i + 1));
  const playerOf = (of: number): string => `Player ${numbers[of]}`;
  const acts = actsOf(round, tape, playerOf, blind(names, playerOf));
  const labels = terms.labels.flatMap((label) => (label === 'roles' ? [...new Set(roles)].toSorted() : [label]));
  const groups = Map.groupBy(
    acts.filter(({ isSpeech }) => isSpeech || terms.of === 'act'),
    (act) => keyOf(terms.of, act),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group as [Act, ...Act[]];
    const role = roles[first.seat]!;
    const towards = terms.of === 'pair' ? roles.flatMap((_, i) => (i === first.seat ? [] : [i])) : [undefined];
    return towards.map((toward): Item => ({
      item: '',
      question,
      shown: {
        asks: terms.asks,
        before: [...first.before],
        // only whoever knows what a player wants can say whether it acts for it
        speaker: playerOf(first.seat) + (terms.of === 'act' ? ` (dealt ${role})` : ''),
        words: group.map(({ words }) => words).join('\n'),
        ...(toward === undefined ? {} : { toward: playerOf(toward) }),
        labels,
      },
      table,
      round,
      day: dayOf(first.question),
      seat: first.seat,
      role,
      side: sideOf(role, rules),
      ...(toward === undefined ? {} : { toward, towardRole: roles[toward]! }),
      ...(terms.of === 'turn' ? { isOnTeam: first.isOnTeam } : {}),
    }));
  });
}

const dayOf = (question: string): number => Number(/(?:^|\/)(?:day|quest)-(\d+)\//.exec(question)?.[1] ?? 1);

/** Acts of one key are judged together. */
function keyOf(of: Question['of'], act: Act): unknown {
  if (of === 'turn') return `${act.question} ${act.seat}`;
  return of === 'pair' ? `${dayOf(act.question)} ${act.seat}` : act;
}

/** What the seats said in public, and all else that they did, in a round. */
function actsOf(
  round: number,
  tape: readonly NarratedEntry[],
  playerOf: (seat: number) => string,
  hide: (text: string) => string,
): readonly Act[] {
  const acts: Act[] = [];
  const heard: string[] = [];
  const speech = new Set<string>();
  for (const [i, { event, text = '', isPublic = false }] of tape.entries()) {
    const asked = event['question'] as { readonly id: string; readonly verb: string } | undefined;
    if (event.type === 'asked' && asked?.verb === 'say') speech.add(asked.id);
    if (event.type === 'began' && Number(event['round']) === round) heard.length = 0;
    if (!text) continue;
    const question = String(event['question']);
    const words = hide(text);
    const isSpeech = speech.has(question);
    if (event.type === 'answered') {
      const { by } = event['answer'] as { readonly by: number };
      if (question.startsWith(`round-${round}/`) && (isPublic || !isSpeech))
        acts.push({ question, seat: by, words, isSpeech, before: heard.slice(-BEFORE), isOnTeam: nextTeam(tape, i).includes(by) });
      if (isPublic) heard.push(isSpeech ? `${playerOf(by)}: ${words}` : words);
    } else if (isPublic) heard.push(words);
  }
  return acts;
}

const nextTeam = (tape: readonly NarratedEntry[], from: number): readonly number[] =>
  (tape.slice(from).find(({ event }) => event.type === 'proposed')?.event['team'] ?? []) as readonly number[];

/** Replaces the names of the players by their numbers. */
function blind(names: readonly string[], playerOf: (seat: number) => string): (text: string) => string {
  const longestFirst = names.map((name, i) => ({ name, i })).filter(({ name }) => name).toSorted((a, b) => b.name.length - a.name.length); // prettier-ignore
  const any = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${longestFirst.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  );
  return (text) => text.replace(any, (name) => playerOf(names.indexOf(name)));
}
