import { renderUnicodeCompact } from 'uqr';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { networkAddresses } from '@maw/http/address.ts';
import type { Game } from '../play-options.ts';

/** An address at which a person takes a seat, or comes back to one. */
interface Invitation {
  readonly at: string;
  readonly table: string;
  /** Of the seat, else one with which a free seat can be taken. */
  readonly token: string;
  /** The seat to come back to. */
  readonly seat?: number;
}

/** `http://192.168.1.5:8080/tables/ID#TOKEN`; nothing after the `#` is sent to a server. */
export const invitationText = ({ at, table, token, seat }: Invitation): string =>
  `${at}/tables/${encodeURIComponent(table)}${seat === undefined ? '' : `?seat=${seat}`}#${token}`;

/** @throws Error when the text is no invitation */
export function readInvitation(text: string): Invitation {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const table = /^\/tables\/([^/]+)$/.exec(url?.pathname ?? '')?.[1];
  const token = url?.hash.slice(1);
  if (!url || table === undefined || !token)
    throw new Error('--join wants the whole invitation, such as http://192.168.1.5:8080/tables/ID#CODE');
  const seat = url.searchParams.get('seat');
  return { at: url.origin, table: decodeURIComponent(table), token, ...(seat === null ? {} : { seat: Number(seat) }) };
}

/** Prints an invitation for each seat of another person: a free one, or one that was taken before. */
export async function printInvitations({ web, options, note }: Game, table: string): Promise<void> {
  const { port } = new URL(web.at);
  const [host = '127.0.0.1', ...others] = networkAddresses();
  const at = `http://${host}:${port}`;
  const { players } = await web.table(table);
  const people = await seatsOfPeople(web, table);
  const invited = people.filter((seat) => players[seat]?.name !== options.human);
  if (!invited.length) return;
  note(
    'This table is open to your local network, over plain HTTP: who listens there can read what is said, and the codes. It closes with this command.',
  );
  if (others.length) note(`This machine is also known as ${others.join(', ')}.`);
  for (const seat of invited) {
    const taken = players[seat]?.name;
    const pass = taken === undefined ? { role: 'join', seat: undefined } : { role: 'seat', seat };
    const { token } = await web.makeToken({ ...pass, table, view: undefined, name: undefined, ttlMs: undefined });
    const text = invitationText({ at, table, token, ...(taken === undefined ? {} : { seat }) });
    const name = taken ?? 'NAME';
    const page = `${at}/t/${encodeURIComponent(table)}${taken === undefined ? '/join' : ''}#token=${token}`;
    note(
      options.web
        ? `Invitation for ${taken ?? `seat ${seat + 1}`}, in a browser:\n  ${page}\n${qrCode(page)}`
        : `Invitation for ${taken ?? `seat ${seat + 1}`}:\n  ./maw play --human ${name} --join '${text}'\n${qrCode(text)}`,
    );
  }
}

/** Two rows of a QR code in one line of text; dark on light in a dark terminal too. */
export const qrCode = (text: string): string => renderUnicodeCompact(text, { ecc: 'L', border: 2 });

/** The seats that were opened for people. */
async function seatsOfPeople(web: Game['web'], table: string): Promise<readonly number[]> {
  for await (const { event } of web.tape(table, 'narrator')) {
    if (event.type !== 'opened') continue;
    const { seats } = (event as unknown as { opening: { seats: readonly SeatPlan[] } }).opening;
    return seats.flatMap(({ kind }, seat) => (kind === 'person' ? [seat] : []));
  }
  return [];
}
