import { setTimeout as delay } from 'node:timers/promises';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { isForPeople } from '@maw/games/match/match.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { networkAddresses } from '@maw/http/address.ts';
import { renderUnicodeCompact } from 'uqr';
import { linkAddress, readLinkAddress } from '@maw/contracts/http/link-code.ts';
import { createWebClient, type WebClient } from '../../clients/web-client.ts';

/** An address at which a person takes a seat, or comes back to one. */
interface Invitation {
  readonly at: string;
  readonly table: string;
  /** Of the seat, else one with which a free seat can be taken. */
  readonly token: string;
  /** The seat to come back to. */
  readonly seat?: number | undefined;
}

/** Reads the address of a short link, whose server says what it stands for. @throws Error when the text is no invitation; ApiProblem */
export async function readInvitation(text: string): Promise<Invitation> {
  const link = readLinkAddress(text);
  if (!link) return readLongInvitation(text);
  const { role, table, token, seat } = await createWebClient(link.at).api.post('/links/open', {}, { code: link.code });
  if (role === 'spectator') throw new Error(`--join: this link is for watching, not for a seat; open it in a browser: ${text.trim()}`);
  return { at: link.at, table, token, ...(role === 'seat' ? { seat } : {}) };
}

/** What a guest is told whose host is away, and for how long the game is looked for, in milliseconds. */
export const AWAY_HOST = {
  says: 'The game does not answer: its host has stopped it, or the network is down. Your seat is kept. This goes on looking for half an hour; Ctrl-C ends it, and the same command finds the game again once the host has started it again.',
  forMs: 1_800_000,
};

/** What a guest can do about a problem with the host's game. @throws Error in words for a guest; any other error as it is */
export function throwForGuest(error: unknown): never {
  if (!(error instanceof ApiProblem)) throw error;
  if (error.isTemporary)
    throw new Error(
      'the game does not answer: its host has stopped it, or this machine is in another network. The same command finds it once the host has started it again',
      { cause: error },
    );
  if (error.status === 401 || error.status === 404)
    throw new Error('this invitation is for no game that the host plays now. Ask the host for a new one', { cause: error });
  throw error;
}

/** As earlier versions wrote it: `http://192.168.1.5:8080/tables/ID#TOKEN`. @throws Error when the text is no invitation */
function readLongInvitation(text: string): Invitation {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const table = /^\/tables\/([^/]+)$/.exec(url?.pathname ?? '')?.[1];
  const token = url?.hash.slice(1);
  if (!url || table === undefined || !token) throw new Error('--join wants the whole invitation, such as http://192.168.1.5:8080/j#CODE');
  const seat = url.searchParams.get('seat');
  return { at: url.origin, table: decodeURIComponent(table), token, ...(seat === null ? {} : { seat: Number(seat) }) };
}

/** Who is invited, and how. */
export interface Inviting {
  /** With an administrator's token. */
  readonly web: WebClient;
  readonly note: (text: string) => void;
  /** Whether people of other machines are invited too. */
  readonly isOnNetwork: boolean;
  /** Whether they play in a browser. */
  readonly isForPage: boolean;
  /** Who is there already. */
  readonly host?: string | undefined;
}

/** Prints an invitation for each seat of another person: a free one, or one that was taken before. */
export async function printInvitations(inviting: Inviting, table: string): Promise<void> {
  const { web, note, isOnNetwork, isForPage, host } = inviting;
  const { players } = await web.table(table);
  const people = await seatsOfPeople(web, table);
  const invited = people.filter((seat) => host === undefined || players[seat]?.name !== host);
  if (!invited.length) return;
  const at = addressOf(inviting);
  const picture = (text: string): string => (isOnNetwork ? `\n${qrCode(text)}` : '');
  for (const seat of invited) {
    const taken = players[seat]?.name;
    const role = taken === undefined ? 'join' : 'seat';
    // With a key of the place, the same code comes again when the command is started again, unless it was revoked.
    const wanted = { role, table, seat, isLink: true } as const;
    const { code } = await web.makeToken(wanted, `invitation-${role}-${table}-${seat}`).catch(() => web.makeToken(wanted));
    const link = linkAddress(at, code!);
    const name = taken ?? 'NAME';
    note(
      isForPage
        ? `Invitation for ${taken ?? `seat ${seat + 1}`}, in a browser:\n  ${link}${picture(link)}`
        : `Invitation for ${taken ?? `seat ${seat + 1}`}:\n  ./maw play --human ${name.includes(' ') ? `'${name}'` : name} --join '${link}'${picture(link)}`,
    );
  }
}

/** Where people find the table. What they should know about the network is said. */
function addressOf({ web, note, isOnNetwork }: Inviting): string {
  if (!isOnNetwork) return web.at;
  const [host = '127.0.0.1', ...others] = networkAddresses();
  note('This table is open to your local network, over plain HTTP: who listens there can read what is said. It closes with this command.');
  if (others.length) note(`This machine is also known as ${others.join(', ')}.`);
  return `http://${host}:${new URL(web.at).port}`;
}

/** Two rows of a QR code in one line of text; dark on light in a dark terminal too. */
export const qrCode = (text: string): string => renderUnicodeCompact(text, { ecc: 'L', border: 2 });

async function seatsOfPeople(web: WebClient, table: string): Promise<readonly number[]> {
  for await (const { event } of web.tape(table, 'narrator')) if (event.type === 'opened') return seatsForPeople(event);
  return [];
}

/** The seats that were opened for people, as the event `opened` has them. */
export function seatsForPeople(opened: object): readonly number[] {
  const { seats } = (opened as { readonly opening: { readonly seats: readonly SeatPlan[] } }).opening;
  return seats.flatMap((plan, seat) => (isForPeople(plan) ? [seat] : []));
}

/** How long a table stays open to other people once it is over. */
const FAREWELL_MS = 10_000;

interface Staying {
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Leaves the other people time to see the end. */
export async function stayOpen({ note, signal }: Staying): Promise<void> {
  note(`The table stays open for ${FAREWELL_MS / 1000} seconds more, for the others.`);
  await delay(FAREWELL_MS, undefined, { signal }).catch(() => undefined);
}
