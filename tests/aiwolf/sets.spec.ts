import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import { type Answering, joinAs, legalAnswer, type PlayingAgent } from './agents.suite.ts';
import { startSystem, type System } from './system.suite.ts';

let system: System;
beforeEach(async () => {
  system = await startSystem();
});
afterEach(() => system.close());

type Service = Awaited<ReturnType<System['startServers']>>;
const five = ['a1', 'b1', 'c1', 'd1', 'e1'];
const joinAll = (url: string, names: readonly string[]) => Promise.all(names.map((name) => joinAs(url, name)));
const faultsOf = ({ reports }: Service) =>
  reports.flatMap((report) => (report.type === 'fault' ? [`${report.agent} ${report.request} ${report.fault}`] : []));
const reportsOf = <T extends ServiceReport['type']>({ reports }: Service, type: T) =>
  reports.filter((report): report is Extract<ServiceReport, { readonly type: T }> => report.type === type);
const gamesOf = (agent: PlayingAgent) => agent.requests().filter((request) => request === 'FINISH').length;

/** Answers as legal as the others, and once differently. */
function once(at: string, how: Answering): Answering {
  let isDone = false;
  return (packet, memory, agent) => {
    if (packet.request !== at || isDone) return legalAnswer(packet, memory);
    isDone = true;
    return how(packet, memory, agent);
  };
}

const MINUTES = 600_000;

describe('a set of outside agents', () => {
  it.each(['protocol', 'natural'] as const)(
    'of the %s division is played to its end without a fault',
    async (division) => {
      const service = await system.startServers([{ division, games: 1, sets: 1 }]);
      const agents = await joinAll(service.url, five);
      await service.finished;
      const codes = await Promise.all(agents.map(({ closed }) => closed));
      if (division === 'natural') expect(codes.map(({ code }) => code)).toEqual([1000, 1000, 1000, 1000, 1000]);
      for (const agent of agents) expect([agent.requests()[0], agent.requests().at(-1)]).toEqual(['NAME', 'FINISH']);
      expect(faultsOf(service)).toEqual([]);
      expect(await system.store.agentSets.running()).toEqual([]);
    },
    MINUTES,
  );

  it(
    'is filled with minds, and has all its games at one table',
    async () => {
      const service = await system.startServers([{ division: 'protocol', games: 2, sets: 1, agents: 3 }]);
      const agents = await joinAll(service.url, five.slice(0, 3));
      await service.finished;
      expect(agents.map(gamesOf)).toEqual([2, 2, 2]);
      expect(faultsOf(service)).toEqual([]);
    },
    MINUTES,
  );

  it(
    'talks at any time: each text counts at once and reaches all',
    async () => {
      const speaking: Answering = (packet, memory, agent) => {
        if (packet.request !== 'TALK_PHASE_START') return legalAnswer(packet, memory);
        agent.send(`I am ${String(memory.me)}`, 'Over');
        return undefined;
      };
      const service = await system.startServers([{ division: 'natural', games: 1, sets: 1, preset: 'nlp-anytime' }]);
      const agents = await Promise.all(five.map((name) => joinAs(service.url, name, speaking)));
      await service.finished;
      const heard = agents.map(({ packets }) =>
        packets.flatMap(({ request, info, new_talk: talk }) =>
          request === 'TALK_BROADCAST' && (info as { day: number }).day === 0 ? [(talk as { text: string }).text] : [],
        ),
      );
      expect(heard[0]!.toSorted()).toEqual(
        [...Array<string>(5).fill('Over'), ...heard[0]!.filter((text) => text !== 'Over').toSorted()].toSorted(),
      );
      expect(heard[0]!.filter((text) => text.startsWith('I am '))).toHaveLength(5);
      for (const each of heard) expect(each).toEqual(heard[0]);
    },
    MINUTES,
  );
});

describe('an agent', () => {
  it(
    'that answers wrongly has its faults counted and stored, and what counts instead',
    async () => {
      const service = await system.startServers([{ division: 'protocol', games: 1, sets: 1 }]);
      const wrong = joinAs(
        service.url,
        'wrong',
        once('VOTE', () => '{"agentIdx": 1}'),
      );
      await Promise.all([wrong, ...five.slice(1).map((name) => joinAs(service.url, name))]);
      await service.finished;
      const [began] = reportsOf(service, 'began');
      expect(await system.store.agentSets.faults(began!.set)).toEqual([
        {
          set: began!.set,
          n: expect.any(Number),
          at: expect.any(Number),
          round: 1,
          seat: began!.agents.find(({ name }) => name === 'wrong')!.seat,
          agent: 'wrong',
          request: 'VOTE',
          question: 'round-1/day-1/vote',
          fault: 'unreadable',
          detail: expect.stringContaining('blank'),
          instead: expect.stringMatching(/^seat:\d$/),
        },
      ]);
    },
    MINUTES,
  );

  it(
    'that names nobody holds up no vote and no night',
    async () => {
      const service = await system.startServers([{ division: 'natural', games: 1, sets: 1, players: 9, signMs: 600_000 }]);
      const naming: Answering = (packet, memory) =>
        ['DIVINE', 'GUARD', 'ATTACK'].includes(packet.request) || (packet.request === 'VOTE' && memory.name === 'a1')
          ? 'nobody'
          : legalAnswer(packet, memory);
      const names = [...five, 'f1', 'g1', 'h1', 'i1'];
      await Promise.all(names.map((name) => joinAs(service.url, name, naming)));
      await service.finished;
      expect(new Set(reportsOf(service, 'fault').map(({ fault, instead }) => `${fault} ${instead}`))).toEqual(
        new Set(['unknown-target undefined']),
      );
      expect(faultsOf(service)).toContain('a1 VOTE unknown-target');
    },
    MINUTES,
  );

  it(
    'that hangs up costs the set nothing but its answers, and goes on when it returns by its name',
    async () => {
      const service = await system.startServers([{ division: 'protocol', games: 2, sets: 1, faults: 1000 }]);
      let left: string | undefined; // a villager, whom nobody waits for at night
      let isBack = false;
      const held: PlayingAgent['agent'][] = [];
      const leaving =
        (name: string): Answering =>
        (packet, memory, agent) => {
          if (packet.request !== 'TALK' || isBack) return legalAnswer(packet, memory);
          if (left !== undefined) return void held.push(agent); // the game waits
          if (memory.roles[String(memory.me)] !== 'VILLAGER') return legalAnswer(packet, memory);
          left = name;
          return agent.hangUp();
        };
      const agents = await Promise.all(five.map((name) => joinAs(service.url, name, leaving(name))));
      await pollUntil('the game waits for another one', () => held.length > 0);
      const back = await joinAs(service.url, left!);
      await pollUntil('it is back', () => back.requests().includes('DAILY_INITIALIZE'));
      isBack = true;
      for (const agent of held) agent.send('Over');
      await service.finished;
      expect(back.requests().slice(0, 3)).toEqual(['NAME', 'INITIALIZE', 'DAILY_INITIALIZE']);
      expect(gamesOf(back)).toBe(2);
      expect(agents.filter(({ name }) => name !== left).map(gamesOf)).toEqual([2, 2, 2, 2]);
      expect(faultsOf(service)).toEqual([`${left} TALK gone`]);
    },
    MINUTES,
  );

  it(
    'with too many faults is replaced by its stand-in until the next game',
    async () => {
      const service = await system.startServers([{ division: 'protocol', games: 2, sets: 1, faults: 2 }]);
      let games = 0;
      const bad: Answering = (packet, memory) => {
        if (packet.request === 'INITIALIZE') games++;
        return packet.request === 'TALK' && games === 1 ? 'blah' : legalAnswer(packet, memory);
      };
      const agents = await Promise.all(five.map((name) => joinAs(service.url, name, name === 'a1' ? bad : legalAnswer)));
      await service.finished;
      expect(faultsOf(service)).toEqual(['a1 TALK unreadable', 'a1 TALK unreadable']);
      expect(
        service.reports.flatMap((report) =>
          report.type === 'replaced' || report.type === 'returned' ? [[report.type, report.agent]] : [],
        ),
      ).toEqual([
        ['replaced', 'a1'],
        ['returned', 'a1'],
      ]);
      expect(agents.map(gamesOf)).toEqual([2, 2, 2, 2, 2]);
    },
    MINUTES,
  );
});

describe('a table', () => {
  const held = (): { readonly answering: Answering; readonly waits: () => boolean; readonly release: () => void } => {
    let release: (() => void) | undefined;
    return {
      answering: once('VOTE', (packet, memory, agent) => void (release = () => agent.send(legalAnswer(packet, memory)!))),
      waits: () => release !== undefined,
      release: () => release!(),
    };
  };

  it(
    'that an administrator ends tells its agents so, and hangs up',
    async () => {
      const service = await system.startServers([{ division: 'protocol', games: 5, sets: 1 }]);
      const { answering, waits } = held();
      const agents = await Promise.all(five.map((name) => joinAs(service.url, name, name === 'a1' ? answering : legalAnswer)));
      await pollUntil('a vote is missing', waits);
      await system.command('table.abort', reportsOf(service, 'began')[0]!.set, {});
      await service.finished;
      expect(agents.map((agent) => agent.requests().at(-1))).toEqual(five.map(() => 'FINISH'));
      expect(faultsOf(service)).toEqual([]);
    },
    MINUTES,
  );

  it(
    'leaves a seat to the mind that an administrator gave it, until he takes it back',
    async () => {
      const service = await system.startServers([{ division: 'protocol', games: 3, sets: 1 }]);
      const { answering, waits, release } = held();
      let games = 0;
      let goOn: (() => void) | undefined;
      const waitingInGame2: Answering = (packet, memory, agent) => {
        if (packet.request === 'INITIALIZE') games++;
        if (packet.request !== 'VOTE' || games !== 2 || goOn) return legalAnswer(packet, memory);
        return void (goOn = () => agent.send(legalAnswer(packet, memory)!));
      };
      const ways: { readonly [name: string]: Answering } = { a1: answering, b1: waitingInGame2 };
      const agents = await Promise.all(five.map((name) => joinAs(service.url, name, ways[name] ?? legalAnswer)));
      await pollUntil('a vote is missing', waits);
      const { set, agents: seated } = reportsOf(service, 'began')[0]!;
      const { seat } = seated.find(({ name }) => name === 'a1')!;
      await system.command('table.hand', set, { seat, to: 'mind' });
      release();
      await pollUntil('a vote of game 2 is missing', () => goOn !== undefined);
      expect(reportsOf(service, 'returned')).toEqual([]);
      await system.command('table.hand', set, { seat, to: 'person' });
      goOn!();
      await service.finished;
      expect(reportsOf(service, 'returned').map(({ agent, round }) => [agent, round])).toEqual([['a1', 2]]);
      expect([agents[0]!.requests().at(-1), faultsOf(service)]).toEqual(['FINISH', []]);
    },
    MINUTES,
  );

  it(
    'that is paused, and a gamemaster that is away, lose no answer',
    async () => {
      const service = await system.startServers([{ division: 'protocol', games: 1, sets: 1 }]);
      const { answering, waits, release } = held();
      await Promise.all(five.map((name) => joinAs(service.url, name, name === 'a1' ? answering : legalAnswer)));
      await pollUntil('a vote is missing', waits);
      const { set } = reportsOf(service, 'began')[0]!;
      await system.command('table.pause', set, {});
      await system.master.close();
      release();
      const master = await system.startGamemaster();
      await system.command('table.resume', set, {});
      await service.finished;
      expect(faultsOf(service)).toEqual([]);
      const votes = (await system.store.tapes.read(set)).filter(
        ({ event }) => event.type === 'settled' && event['question'] === 'round-1/day-1/vote',
      );
      expect(votes).toMatchObject([{ event: { answers: { length: 5 } } }]);
      await master.close();
    },
    MINUTES,
  );

  it(
    'goes on after a restart of the servers, with the agents that return',
    async () => {
      const terms = { division: 'protocol', games: 2, sets: 1 };
      const first = await system.startServers([terms]);
      const { answering, waits } = held();
      const agents = await Promise.all(five.map((name) => joinAs(first.url, name, name === 'a1' ? answering : legalAnswer)));
      await pollUntil('a vote is missing', waits);
      await first.close();
      await Promise.all(agents.map(({ closed }) => closed));
      expect(await system.store.agentSets.running()).toHaveLength(1);

      const second = await system.startServers([terms], { graceMs: MINUTES });
      const again = await joinAll(second.url, five);
      await second.finished;
      expect(faultsOf(second)).toEqual([]);
      expect(again.map(gamesOf)).toEqual([2, 2, 2, 2, 2]);
      expect(again.map((agent) => agent.requests().slice(0, 3))).toEqual(five.map(() => ['NAME', 'INITIALIZE', 'DAILY_INITIALIZE']));
      expect(await system.store.agentSets.running()).toEqual([]);
    },
    MINUTES,
  );
});
