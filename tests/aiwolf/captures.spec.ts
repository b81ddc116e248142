import { afterEach, describe, expect, it } from '@jest/globals';
import { naturalText, protocolText } from '@maw/aiwolf/server/captures.suite.ts';
import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { type Answering, joinAs } from './agents.suite.ts';
import { heldClock, startAgentServers } from './agent-servers.suite.ts';
import { type CapturedGame, capturedGames, type Said } from './captured-games.suite.ts';
import { recordedTable } from './recorded-table.suite.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Plays a captured game again: the agents answer as they did then, at a table that goes on as it did then. */
async function replay(game: CapturedGame, isStrict: boolean) {
  const hub = memoryHub();
  const store = memoryStore();
  const master = memoryBus({ service: 'gamemaster', hub });
  const table = await recordedTable(master, game.tape, game.players, game.options);
  const seats = new Map<string, number>();
  const faults = new Set<string>();
  const report = (told: ServiceReport): void => {
    if (told.type === 'began') for (const { name, seat } of told.agents) seats.set(name, seat);
    if (told.type === 'fault') faults.add(`${told.question} ${told.seat}`);
  };
  const clock = heldClock(() => true);
  const { preset, ...options } = game.options;
  const terms = { division: game.division, players: game.players, games: 1, sets: 1, strict: isStrict, faults: 1000, ...game.limits };
  const servers = await startAgentServers({ hub, store }, [{ ...terms, options, ...(preset === undefined ? {} : { preset }) }], {
    startServer: clock.startServer,
    report,
  });
  closing.push(
    () => store.close(),
    () => master.close(),
    () => servers.close(),
  );
  const given = game.answers.map(() => 0);
  const answering: Answering = ({ request }, { name }) => {
    if (request === 'NAME') return name;
    if (request === 'ROLE') return 'none';
    if (!/^(?:TALK|WHISPER|VOTE|DIVINE|GUARD|ATTACK)$/.test(request)) return undefined;
    const seat = seats.get(name)!;
    const says = game.answers[seat]![given[seat]!++];
    if (says === undefined) clock.expire(name);
    return says;
  };
  const names = game.answers.map((_, i) => `agent${i + 1}`);
  const agents = await Promise.all(names.map((name) => joinAs(servers.urls[0]!, name, answering)));
  await servers.finished;
  const packets = new Map(agents.map((agent) => [seats.get(agent.name)!, agent.texts]));
  return { packets, table, faults };
}

/**
 * A packet but for ids, seeds, the time limit of the protocol division, which is told as -1 there, and profiles, which our tables have none
 * of.
 */
function comparable({ division, options }: CapturedGame): (text: string) => string {
  if (division === 'protocol') return (text) => protocolText(text).replace(/"timeLimit":-?\d+/, '"timeLimit":0');
  const terms = readOptions(aiwolfOptions, options);
  return (text) =>
    naturalText(text, terms)
      .replace(/"game_id":"\w+",/, '')
      .replace(/"profile":"(?:[^"\\]|\\.)*",/, '');
}

/** The answers that counted, by question and seat. Of a log, where a Skip cannot be told from silence, and one too many stands as Over. */
const counted = (question: string, seat: number, says: string) => `${question} ${seat} ${says === 'Skip' ? 'Over' : says}`;
const answersIn = ({ tape }: CapturedGame): readonly string[] =>
  (tape as readonly TableEvent[]).flatMap((e) => {
    if (e.type === 'answered') return [counted(e.question, e.answer.by, e.answer.says[0]!)];
    return e.type === 'passed' ? [counted(e.question, e.seat, 'Skip')] : [];
  });

interface Packet {
  readonly [key: string]: unknown;
  readonly gameInfo?: { readonly talkList: unknown; readonly whisperList: unknown } | null;
}

const HISTORIES = { talk: ['talkHistory', 'talk_history'], whisper: ['whisperHistory', 'whisper_history'] } as const;

/** A packet but for what was said. */
function withoutUtterances(text: string): string {
  const packet = JSON.parse(text) as Packet;
  const shorn = Object.entries(packet).map(([key, value]) => {
    if (Array.isArray(value)) return [key, 'utterances'];
    return [key, key === 'gameInfo' && value ? { ...value, talkList: 'utterances', whisperList: 'utterances' } : value];
  });
  return JSON.stringify(Object.fromEntries(shorn));
}

const keyOf = ({ day, turn, agent, text }: Omit<Said, 'place'>) => `day ${day}, turn ${turn}, ${agent}: ${text}`;

/** What the histories of packets bring, and what the lists of `gameInfo` show. */
function utterancesIn(texts: readonly string[], place: Said['place']) {
  const packets = texts.map((text) => JSON.parse(text) as Packet);
  const histories = packets.flatMap((packet) => HISTORIES[place].flatMap((key) => (packet[key] as readonly Said[] | null) ?? []));
  const lists = packets.flatMap(({ gameInfo }) => (gameInfo?.[`${place}List`] as readonly Said[] | undefined) ?? []);
  return { brought: histories.map(keyOf), shown: lists.map(keyOf) };
}

function unread(): CapturedGame {
  throw new Error('there are no captures here');
}

const describeCaptures = capturedGames.length ? describe : describe.skip;
const games = capturedGames.length ? capturedGames : [{ name: 'no game (there are no captures here)', read: unread }];

describeCaptures('a game captured on a published server, played again', () => {
  it.each(games)('brings the packets of $name one by one, with the faults of that server', async ({ read }) => {
    const game = read();
    const { packets, table, faults } = await replay(game, true);
    const shown = comparable(game);
    for (const { name, seat, packets: captured } of game.captures)
      expect([name, ...packets.get(seat)!.map(shown)]).toEqual([name, ...captured.map(shown)]);
    const isFaulty = (key: string) => [...faults].some((fault) => key.startsWith(`${fault} `));
    const acts = table.acts.flatMap(({ question, seat, says }) => (says === undefined ? [] : [counted(question, seat, says)]));
    const withoutFaults = (keys: readonly string[]) => keys.filter((key) => !isFaulty(key)).toSorted();
    expect(withoutFaults(acts)).toEqual(withoutFaults(answersIn(game)));
  });

  it.each(games)('brings the packets of $name without those faults: with each utterance and whisper once', async ({ read }) => {
    const game = read();
    const { packets } = await replay(game, false);
    const shown = (text: string) => withoutUtterances(comparable(game)(text));
    for (const { name, seat, packets: captured } of game.captures) {
      const sent = packets.get(seat)!;
      expect([name, ...sent.map(shown)]).toEqual([name, ...captured.map(shown)]);
      for (const place of ['talk', 'whisper'] as const) {
        const said = game.said.filter((each) => each.place === place).map(keyOf);
        const { brought, shown: listed } = utterancesIn(sent, place);
        if (place === 'whisper' && !/WEREWOLF/.test(name)) expect([...brought, ...listed]).toEqual([]);
        else if (game.division === 'natural') expect(brought).toEqual(said);
        else {
          expect(new Set(brought).size).toBe(brought.length);
          expect([...new Set([...brought, ...listed])].toSorted()).toEqual(said.toSorted());
        }
      }
    }
  });
});
