/** Servers that play whole games of the rule set `aiwolf` with the agents that connect, as the published servers do, and judge them. */
import { readAnswer } from '../server/answers.ts';
import { namePacket as naturalName } from '../server/natural.ts';
import { namePacket as protocolName } from '../server/protocol.ts';
import { type Sent, seatLogic, type SeatState } from '../server/seat.ts';
import type { Terms } from '../server/terms.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { type Played, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { type ConnectedAgent, startFakeServer } from './fake-server.suite.ts';

export interface GameTerms {
  readonly division: Terms['division'];
  readonly players: number;
  /** Of one set in the protocol division; each with new connections in the other one. */
  readonly games: number;
  readonly options?: { readonly [name: string]: unknown };
  readonly answerMs?: number;
  /** How long agents are told that a talk at any time lasts. It ends when all have said what they may. */
  readonly talkMs?: number;
  readonly seed: string;
}

/** What agents have done at a server. */
export interface Conduct {
  /** What was unasked, late or illegal. */
  readonly faults: string[];
  /** How often each request was answered; with TALK_PHASE_START each text. */
  readonly answers: { [request: string]: number };
  /** How many games have ended. */
  games: number;
}

/** Starts a server. Its games do not depend on time; agents are told a limit, and kept to it. */
export async function startGameServer(terms: GameTerms) {
  const conduct: Conduct = { faults: [], answers: {}, games: 0 };
  const name = JSON.stringify(terms.division === 'protocol' ? protocolName() : naturalName);
  let lobby: Named[] = [];
  let tables = 0;
  const { address, close } = await startFakeServer(terms.division, (agent) => {
    const own: Named = { agent, hear: undefined };
    let read = 0;
    agent.send([name]);
    return () => {
      for (; read < agent.received.length; read++) {
        const text = agent.received[read]!;
        if (own.hear) own.hear(text);
        else if (read > 0) conduct.faults.push(`unasked before the game: ${text}`);
        else if (lobby.push(own) === terms.players) {
          const all = lobby;
          lobby = [];
          new GameTable(terms, `${terms.seed}/${tables++}`, all, conduct).begin();
        }
      }
    };
  });
  return { address, close, conduct };
}

/** An agent that has told its name. */
interface Named {
  readonly agent: ConnectedAgent;
  hear: ((text: string) => void) | undefined;
}

interface Seated {
  readonly terms: Terms;
  readonly logic: ReturnType<typeof seatLogic>;
  readonly agent: ConnectedAgent;
  state: SeatState;
  /** The talk at any time that it takes part in. */
  talk: string | undefined;
}

interface Packet {
  readonly seat: number;
  readonly sent: Sent;
}

const NAMES = ['Minato', 'Yumi', 'Rin', 'Takumi', 'Kenji', 'Sora', 'Aoi', 'Haruka', 'Mei', 'Daiki', 'Nana', 'Jun', 'Emi', 'Ryo', 'Kana'];

/** The games of one set, or one game. One request at a time in the whole game waits for its answer, but for a talk at any time. */
class GameTable {
  readonly #terms: GameTerms;
  readonly #conduct: Conduct;
  readonly #table: Played;
  readonly #seats: readonly Seated[];
  readonly #queue: Packet[] = [];
  #asked: (Packet & { readonly at: number }) | undefined;
  /** How much of the tape has been shown, and the position before what follows. */
  #told = 0;
  #before: Played['standing'];

  constructor(terms: GameTerms, seed: string, named: readonly Named[], conduct: Conduct) {
    const { division, players, games, answerMs = 60_000 } = terms;
    const options = { preset: division === 'protocol' ? 'protocol-2021' : 'nlp-2026', hurry: true, ...terms.options };
    const rounds = division === 'protocol' ? games : 1;
    this.#terms = terms;
    this.#conduct = conduct;
    this.#table = tableOf(aiwolf, { players, rounds, seed, options, isJoined: false });
    this.#before = this.#table.game.begin();
    this.#seats = named.map(({ agent }, seat) => {
      const own: Terms = {
        seat,
        players,
        options: readOptions(aiwolfOptions, options),
        division,
        isStrict: true,
        answerMs,
        signMs: answerMs,
        ids: (round) => ({ id: `${seed}/${round}`, seed: '-5926863921237852062' }),
      };
      const logic = seatLogic(own);
      return { terms: own, logic, agent, state: logic.begin(), talk: undefined };
    });
    for (const [seat, each] of named.entries()) each.hear = (text) => this.#hear(seat, text);
  }

  begin(): void {
    const { rules, standing, now } = this.#table;
    for (const seat of this.#seats.keys()) this.#table.add(rules.join(this.#table.standing.game, seat, NAMES[seat]!, now));
    void standing;
    this.#goOn();
  }

  /** Plays until an agent has to answer. */
  #goOn(): void {
    for (;;) {
      this.#show();
      while (!this.#asked && this.#queue.length) this.#send(this.#queue.shift()!);
      if (this.#asked || this.#seats.some(({ talk }) => talk !== undefined)) return;
      if (this.#table.game.isOver(this.#table.standing)) {
        for (const { agent } of this.#seats) agent.end();
        return;
      }
      this.#table.wait();
    }
  }

  /** Tells every seat what it sees of what is new. */
  #show(): void {
    const { tape, game } = this.#table;
    for (; this.#told < tape.length; this.#told++) {
      const event = tape[this.#told]!;
      for (const [seat, own] of this.#seats.entries()) {
        const seen = game.see(this.#before, event, seat);
        if (!seen) continue;
        const { state, sent } = own.logic.seen(own.state, seen);
        own.state = state;
        this.#queue.push(...sent.map((each) => ({ seat, sent: each })));
      }
      this.#before = game.evolve(this.#before, event);
    }
  }

  #send({ seat, sent }: Packet): void {
    const own = this.#seats[seat]!;
    const { request, text, question } = sent;
    if (request === 'TALK_PHASE_START') own.talk = question;
    else if (request === 'TALK_PHASE_END') own.talk = undefined;
    else if (question !== undefined || request === 'ROLE') this.#asked = { seat, sent, at: Date.now() };
    if (request === 'FINISH' && seat === 0) this.#conduct.games++;
    const { talkMs } = this.#terms;
    own.agent.send([talkMs === undefined ? text : text.replaceAll(/"duration":\d+/g, `"duration":${talkMs}`)]);
  }

  #hear(seat: number, text: string): void {
    const { talk } = this.#seats[seat]!;
    const asked = this.#asked;
    if (talk !== undefined) this.#act(seat, 'TALK_PHASE_START', talk, text);
    else if (asked?.seat !== seat) this.#conduct.faults.push(`unasked from seat ${seat}: ${text}`);
    else {
      this.#asked = undefined;
      const { request, question } = asked.sent;
      const ms = Date.now() - asked.at;
      if (ms > this.#seats[seat]!.terms.answerMs) this.#conduct.faults.push(`late to ${request}: ${ms} ms`);
      if (question !== undefined) this.#act(seat, request, question, text);
      else if (text !== 'none') this.#conduct.faults.push(`to ${request}: ${text}`);
    }
    this.#goOn();
  }

  #act(seat: number, request: string, question: string, text: string): void {
    const { terms, state } = this.#seats[seat]!;
    const { answers, faults } = this.#conduct;
    answers[request] = (answers[request] ?? 0) + 1;
    const reading = readAnswer(terms, state, question, text);
    if ('fault' in reading) faults.push(`to ${request}: ${reading.detail}`);
    else this.#table.act(seat, question.slice(question.lastIndexOf('/') + 1), reading.says);
  }
}
