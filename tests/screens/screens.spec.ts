/**
 * What a person sees at each kind of question of each game. The screens are kept as text beside this file, to be read. To write one anew,
 * delete it and run this.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { WebClient } from '@maw/cli/clients/web-client.ts';
import { playSeat } from '@maw/cli/play/play-seat.ts';
import type { Prompt } from '@maw/cli/play/terminal/line-editor.ts';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Open, optionsFor, stepOf, waiting } from '@maw/games/kernel/question.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { lifeOf } from '@maw/games/match/match.ts';
import { askingOf, briefOf, playersOf, seenData } from '@maw/gamemaster/messages/derive-messages.ts';
import { applyEvents, clockOf, type TableState } from '@maw/gamemaster/state/table-state.ts';
import { blank } from '@maw/gamemaster/tables/table-cache.ts';

const COLUMNS = 110;
const MAX_LINES = 12;
const START = Date.UTC(2040, 0, 1);
const NAMES = ['Ann', 'Ada', 'Bob', 'Cleo', 'Dev', 'Eve', 'Finn', 'Gus', 'Hana', 'Ida', 'Jo', 'Kim', 'Lou', 'Mia', 'Noor'];

/** The games, with the options that ask the most, and the questions that are then asked. */
const GAMES = [
  { rules: 'maw', players: 6, options: { whisper: true, seer: true }, seeds: 1, steps: ['hunt', 'inspect', 'talk', 'vote', 'whisper'] },
  {
    rules: 'werewolf-7',
    players: 7,
    options: {},
    seeds: 3,
    steps: ['hunt', 'inspect', 'last-words', 'poison', 'protect', 'save', 'talk', 'vote'],
  },
  {
    rules: 'aiwolf',
    players: 15,
    options: {},
    seeds: 1,
    steps: ['attack', 'divine', 'guard', 'talk', 'vote', 'whisper'],
  },
  { rules: 'avalon', players: 6, options: {}, seeds: 6, steps: ['approve', 'assassinate', 'quest', 'talk', 'team'] },
  {
    rules: 'onuw',
    players: 5,
    options: { loneWolf: 'peek' },
    seeds: 6,
    steps: ['robber', 'seer', 'talk', 'troublemaker', 'vote', 'werewolf'],
  },
] as const;

type Table = Pick<(typeof GAMES)[number], 'rules' | 'players' | 'options'>;

/** Plays a whole game at random, and calls `look` before each answer. */
async function playThrough(
  { rules, players, options }: Table,
  seed: string,
  look: (state: TableState, now: number) => Promise<void>,
): Promise<void> {
  const seats = NAMES.slice(0, players).map(() => ({ kind: 'person' as const }));
  const { version } = ruleSetNamed(rules);
  const terms = { rounds: 1, lobbyMs: 1_000, pauseMs: 1_000, spectators: 'audience' as const };
  const opening = { rules, version, options, seats, seed, ...terms };
  const { state } = blank('table', opening, catalogue);
  const dice = diceOf(seed, 'screens');
  let now = START;
  let sequence = 0;
  const append = (events: readonly { readonly type: string }[]): void =>
    applyEvents(
      state,
      events.map((event) => ({ table: 'table', sequence: ++sequence, at: now, cause: `cause-${sequence}`, event })),
    );
  append(state.rules.open(opening, now));
  for (const [seat, name] of NAMES.slice(0, players).entries()) append(state.rules.join(state.standing.game, seat, name, now));
  for (let again = 0; !state.game.isOver(state.standing);) {
    await look(state, now);
    const open = dice.shuffle(state.standing.open.filter((q) => waiting(q).length > 0 && (q.final || again < 6)));
    const by = open[0] ? dice.shuffle(waiting(open[0]))[0]! : 0;
    const asked = state.game.asked(state.standing, by).find(({ id }) => id === open[0]?.id);
    const says = asked && (agreeable(asked, by) ?? randomAnswer(asked, by, dice));
    if (!says) {
      now = state.game.wake(state.standing)!;
      append(state.game.tick(state.standing, now, seed));
      again = 0;
      continue;
    }
    if (!asked.final) again++;
    now += 1_000;
    append(state.game.act(state.standing, asked.id, { by, says }, now, seed));
  }
}

/** What leads to every question: all hunt and vote for the same, approve, and play success. */
function agreeable(q: Open, seat: number): string[] | undefined {
  const options = optionsFor(q, seat);
  const option = /\/(hunt|vote)$/.test(q.id)
    ? options.find((each) => each !== 'pass')
    : options.find((each) => /^(approve|success)$/.test(each));
  return option === undefined ? undefined : [option];
}

/** The end of what the terminal shows to a seat, with the status above the line. */
async function screenOf(state: TableState, seat: number, now: number): Promise<string> {
  const shown: string[] = [];
  let status: Parameters<Prompt['setStatus']>[0] = () => [];
  const prompt: Prompt = {
    isTerminal: true,
    show: (text) => void shown.push(...text.split('\n')),
    async *lines() {},
    keys: () => 0,
    edit() {},
    setStatus: (rows) => void (status = rows),
    refresh() {},
    setCompletions() {},
    onInterrupt() {},
    close() {},
  };
  const { game, standing } = state;
  const own = state.views.get(seat)!;
  const web = {
    async *follow() {
      for (const seen of own.seen) yield { kind: 'seen', seen: seenData(seen) };
      const asked = game.asked(standing, seat).map((q) => askingOf(state, q, seat));
      const alive = playersOf(state, seat).map((player) => player.alive);
      const life = lifeOf(own.standing.game, own.standing.open, state.rules.out(own.standing.game), seat);
      yield { kind: 'clock', clock: { now, ...clockOf(state) } };
      yield { kind: 'asked', asked: { asked, brief: briefOf(state, seat), alive, life, holder: 'person' } };
    },
  };
  await playSeat({
    web: web as unknown as WebClient,
    table: 'table',
    seat,
    prompt,
    paint: (_, text) => text,
    canLeave: true,
    now: () => now,
    signal: new AbortController().signal,
  });
  return [...shown.slice(-MAX_LINES), ...status(COLUMNS), '> '].map((row) => row.trimEnd()).join('\n');
}

describe('the screen of a person', () => {
  it.each(GAMES)(
    'at each question of $rules says what is asked, of whom, until when and how to answer',
    async ({ seeds, steps, ...table }) => {
      const screens = new Map<string, string>();
      for (let n = 1; n <= seeds; n++) {
        await playThrough(table, `screens-${n}`, async (state, now) => {
          for (const seat of NAMES.slice(0, table.players).keys()) {
            const asked = state.game.asked(state.standing, seat);
            const isDead = state.rules.out(state.standing.game).includes(seat);
            const found = asked.length ? asked.map(({ id }) => stepOf(id)) : [isDead ? '(dead)' : '(waiting)'];
            const title = found.filter((step) => !screens.has(step)).join(', ');
            if (!title) continue;
            const screen = await screenOf(state, seat, now);
            for (const step of found)
              if (!screens.has(step)) screens.set(step, title === '' ? '' : `=== ${title}: ${NAMES[seat]} ===\n${screen}\n`);
          }
        });
      }
      const asked = [...screens.keys()].filter((step) => !step.startsWith('(')).toSorted();
      expect(asked).toEqual(steps);
      const text = [...new Set(screens.values())].join('\n');
      const file = join(import.meta.dirname, `${table.rules}.txt`);
      if (!existsSync(file)) {
        writeFileSync(file, text);
        throw new Error(`${file} was written: read it`);
      }
      expect(text).toBe(readFileSync(file, 'utf8'));
    },
  );

  it('in docs/play.md is one of them', () => {
    const folder = import.meta.dirname;
    const kept = GAMES.map(({ rules }) => readFileSync(join(folder, `${rules}.txt`), 'utf8')).join('\n');
    const shown = [...readFileSync(join(folder, '../../docs/play.md'), 'utf8').matchAll(/```text\n((?:Your|-- ).*?)```/gs)].map(
      ([, screen]) => screen!,
    );
    expect(shown).toHaveLength(3);
    expect(shown.filter((screen) => !kept.includes(screen))).toEqual([]);
  });
});
