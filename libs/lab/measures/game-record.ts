import { type Answer, type Question, stepOf } from '@maw/games/kernel/question.ts';
import type { Outcome } from '@maw/games/kernel/rules.ts';

/** An event of a tape as the narrator sees it. */
export interface NarratedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What the measures need of one finished game. */
export interface GameRecord {
  readonly table: string;
  readonly round: number;
  readonly rules: string;
  readonly options: { readonly [name: string]: unknown };
  /** By seat. */
  readonly names: readonly string[];
  /** By seat: the recipe with its parameters; undefined where a person plays. */
  readonly recipes: readonly (string | undefined)[];
  /** By seat, as dealt. */
  readonly roles: readonly string[];
  /** By seat, at the end: by these sides win. */
  readonly finals: readonly string[];
  readonly winner: string;
  /** Seats. */
  readonly winners: readonly number[];
  /** The day or quest in which it ended, from 1. */
  readonly days: number;
  /** By quest: the last team that was proposed. */
  readonly lastTeams: readonly (readonly number[])[];
  readonly cards: readonly { readonly by: number; readonly card: string }[];
  readonly proposals: readonly { readonly leader: number; readonly approvals: number; readonly votes: number }[];
  /** By seat: the votes it got in ballots and votes, each voter's last one of each. */
  readonly votes: readonly number[];
  /** Each voter's last vote for a seat of each vote, and whether somebody was executed by it. */
  readonly ballots: readonly { readonly by: number; readonly on: number; readonly isExecution: boolean }[];
  /** Seats that died. */
  readonly dead: readonly number[];
  /** The last answer of a seat to each question, or its default, in their order. Talk is left out. */
  readonly choices: readonly Choice[];
  /** By seat, what everybody heard of it; absent where nobody said anything, and in older records. */
  readonly speech?: readonly Speech[];
}

/** How often a seat spoke, and characters (code points) in all. */
export type Speech = readonly [speeches: number, characters: number];

/** Whether what a seat did in a game counts. */
export type CountsSeat = (game: GameRecord, seat: number) => boolean;

/** It says nothing when the seat let the time run out and the rules have no default. */
interface Choice extends Answer {
  readonly question: string;
}

interface Opening {
  readonly rules: string;
  readonly options?: GameRecord['options'];
  readonly seats?: readonly SeatPlan[];
}

interface SeatPlan {
  readonly kind: string;
  readonly recipe?: string;
  readonly parameters?: object;
}

/** The finished games of a tape, one per round. */
export function gamesOf(table: string, tape: readonly NarratedEvent[]): readonly GameRecord[] {
  const opened = tape.find(({ type }) => type === 'opened')?.['opening'] as Opening | undefined;
  const { rules = '', options = {}, seats = [] } = opened ?? {};
  const plans = [...seats];
  let recipes = plans.map(recipeOf);
  const names: string[] = [];
  for (const event of tape) if (event.type === 'joined') names[Number(event['seat'])] = String(event['name']);
  let from = 0;
  return tape.flatMap((event, i): readonly GameRecord[] => {
    if (event.type === 'began') {
      from = i;
      recipes = plans.map(recipeOf);
    }
    if (event.type === 'assigned') recipes = assigned(plans, recipes, event as unknown as SeatPlan & { readonly seat: number });
    if (event.type !== 'scored') return [];
    const { dealt, roles, winner, winners } = event['outcome'] as Outcome;
    const about = { table, round: Number(event['round']), rules, options, names, recipes };
    return [{ ...about, roles: dealt ?? roles, finals: roles, winner, winners, ...countsOf(tape.slice(from, i), roles.length) }];
  });
}

/** The recipe of a seat with its parameters; undefined where a person plays. */
const recipeOf = ({ kind, recipe, parameters = {} }: SeatPlan): string | undefined =>
  kind === 'mind' ? [recipe ?? 'default', ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join(' ') : undefined;

/** What has played in this round after a seat got another mind: a game that two recipes played counts for neither. Changes the plans. */
function assigned(
  plans: SeatPlan[],
  recipes: GameRecord['recipes'],
  { seat, recipe, parameters }: SeatPlan & { readonly seat: number },
): (string | undefined)[] {
  const { kind } = plans[seat]!;
  const plan = { kind, ...(recipe === undefined ? {} : { recipe }), ...(parameters && { parameters }) };
  plans[seat] = plan;
  const [before, after] = [recipes[seat], recipeOf(plan)];
  return recipes.with(seat, before === after ? before : `${before}, then ${after}`);
}

type Counts = Pick<GameRecord, 'days' | 'lastTeams' | 'cards' | 'proposals' | 'votes' | 'ballots' | 'dead' | 'choices' | 'speech'>;

function countsOf(events: readonly NarratedEvent[], players: number): Counts {
  const lastTeams = new Map<number, readonly number[]>();
  const proposals: { leader: number; approvals: number; votes: number }[] = [];
  const choices = new Map<string, Choice>();
  const asked = new Map<string, Question>();
  const executions = new Set<string>();
  const dead = new Set<number>();
  const speech = Array.from({ length: players }, (): Speech => [0, 0]);
  let days = 1;
  let lastVote = '';
  for (const event of events) {
    days = Math.max(days, dayOf(event));
    for (const seat of deathsOf(event)) dead.add(seat);
    if (EXECUTIONS.has(event.type) && deathsOf(event).length) executions.add(lastVote);
    if (event.type === 'proposed') lastTeams.set(Number(event['quest']), event['team'] as readonly number[]);
    if (event.type === 'voted') {
      const [approve, reject] = [event['approve'] as readonly number[], event['reject'] as readonly number[]];
      proposals.push({ leader: Number(event['leader']), approvals: approve.length, votes: approve.length + reject.length });
    }
    if (event.type === 'asked') asked.set((event['question'] as Question).id, event['question'] as Question);
    const question = String(event['question']);
    for (const { by, says } of answersOf(event, asked.get(question))) {
      if (isSpeech(event, asked.get(question), says)) speech[by] = [speech[by]![0] + 1, speech[by]![1] + [...says[0]!].length];
      const key = `${question} ${by}`;
      if (stepOf(question) === 'vote') lastVote = question;
      if (stepOf(question) !== 'talk' && (says.length || !choices.has(key))) choices.set(key, { question, by, says });
    }
  }
  const all = [...choices.values()];
  const ballots = all.flatMap(({ question, by, says: [option = ''] }) =>
    stepOf(question) === 'vote' && option.startsWith('seat:')
      ? [{ by, on: Number(option.slice('seat:'.length)), isExecution: executions.has(question) }]
      : [],
  );
  return {
    days,
    lastTeams: [...lastTeams.values()],
    cards: all.flatMap(({ question, by, says: [card] }) => (stepOf(question) === 'quest' && card !== undefined ? [{ by, card }] : [])),
    proposals,
    votes: Array.from({ length: players }, (_, seat) => ballots.filter(({ on }) => on === seat).length),
    ballots,
    dead: [...dead],
    choices: all,
    ...(speech.some(([times]) => times) ? { speech } : {}),
  };
}

/** Words of AIWolf by which a seat says that it says nothing. */
const SILENCE: ReadonlySet<string | undefined> = new Set(['', 'Skip', 'Over', undefined]);

const isSpeech = ({ type }: NarratedEvent, asked: Question | undefined, [text]: Choice['says']): boolean =>
  type === 'answered' && asked?.verb === 'say' && asked.among === 'table' && !SILENCE.has(text);

/** An answer; of a question that settles, the defaults, and an empty answer of every seat that was to choose. */
function answersOf(event: NarratedEvent, asked: Question | undefined): readonly Answer[] {
  if (event.type === 'answered') return [event['answer'] as Answer];
  if (event.type !== 'settled') return [];
  const silent = asked?.verb === 'choose' ? asked.of.map((by) => ({ by, says: [] })) : [];
  return [...((event['defaulted'] ?? []) as readonly Answer[]), ...silent];
}

/** Events by which a vote takes effect; somebody dies by it, or nobody. */
const EXECUTIONS: ReadonlySet<string> = new Set(['executed', 'died']);
const DEATHS: ReadonlySet<string> = new Set(['executed', 'murdered', 'killed', 'died', 'felled', 'dawned']);

/** The seats that die by an event, as each game has it: `seat`, `seats`, or the `dead` of a night. */
function deathsOf({ type, seat, seats, dead }: NarratedEvent): readonly number[] {
  if (!DEATHS.has(type)) return [];
  const fallen = (dead ?? []) as readonly { readonly seat: number }[];
  return [...(typeof seat === 'number' ? [seat] : []), ...((seats ?? []) as readonly number[]), ...fallen.map((each) => each.seat)];
}

/** The number of the day or quest of a question; 0 for other events. */
function dayOf({ type, ...event }: NarratedEvent): number {
  const id = type === 'asked' ? (event['question'] as { readonly id: string }).id : '';
  return Number(/(?:^|\/)(?:day|quest)-(\d+)\//.exec(id)?.[1] ?? 0);
}
