import type { WebClient } from '../clients/web-client.ts';
import type { ConnectOptions } from '../connect.ts';
import type { ModelOptions } from '../models.ts';
import type { Prices } from '@maw/lab/contests/definition.ts';
import type { Pace } from '@maw/games/kernel/options.ts';
import type { Paint } from '../transcript.ts';

export interface PlayOptions extends ConnectOptions, ModelOptions {
  readonly rules: string;
  readonly players?: number;
  readonly rounds: number;
  /** The longest time of each phase, in seconds. Undefined: as the pace has it. */
  readonly seconds?: number;
  readonly pace?: Pace;
  readonly seed?: string;
  readonly minds: readonly string[];
  /** A file of prices. */
  readonly prices?: string;
  readonly human?: string;
  /** How many seats are for people, the one at this terminal included. */
  readonly people?: number;
  /** The names of programs that play, by the names of their keys; the same may have several seats. */
  readonly agents: readonly string[];
  /** Whether the table is open to the local network. */
  readonly lan?: boolean;
  /** An invitation to a table, as `--lan` prints it. */
  readonly join?: string;
  /** Whether the game is shown in a browser, which a person plays in too. */
  readonly web?: boolean;
  /** Whether a seat that is kept for the person is passed over. */
  readonly new?: boolean;
  /** The file that receives the game as it was seen. */
  readonly transcript?: string;
  /** The name of the recording to make, or to replay. */
  readonly record?: string;
  readonly replay?: string;
  readonly option: { readonly [name: string]: string };
  readonly json: boolean;
  readonly table?: string;
}

/** How many seats of a new table are for people. */
export const peopleOf = ({ people, lan, human }: Pick<PlayOptions, 'people' | 'lan' | 'human'>): number =>
  human === undefined ? 0 : (people ?? (lan ? 2 : 1));

/** @throws Error when there are more people and programs than seats */
export function checkSeats({ agents = [], ...options }: Partial<PlayOptions>, players: number): void {
  const people = peopleOf(options);
  if (people > players) throw new Error(`--people ${people}: the table has ${players} seats`);
  if (people + agents.length > players) throw new Error(`--agents ${agents.join(',')}: the table has ${players - people} seats for them`);
}

/** The pace of the table that these options open: that of people, where one plays or watches in a browser. */
export const paceOf = ({ pace, human, web }: PlayOptions): Pace => pace ?? (human === undefined && !web ? 'machines' : 'people');

/** One game that is played. */
export interface Game {
  readonly web: WebClient;
  readonly options: PlayOptions;
  /** The administrator's token of a system in this process. */
  readonly adminToken?: string;
  /** Whether the system is not of this process, and goes on after it. */
  readonly isRemote: boolean;
  readonly paint: Paint;
  /** Asks the model how long a decision takes, in milliseconds; where a model plays. */
  readonly decisionMs?: () => Promise<number>;
  /** What tokens cost, where that was said. */
  readonly prices: Prices | undefined;
  /** Prints what does not belong to the game; with --json on standard error. */
  readonly note: (text: string) => void;
  /** Shows what minds' models fail at while the game runs; replaced where somebody types at the terminal. */
  readonly notices: { show(text: string): void };
  readonly signal: AbortSignal;
}
