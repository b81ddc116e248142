import type { ApiClient } from '@maw/api-client/client.ts';
import { linkAddress } from '@maw/contracts/http/link-code.ts';
import type { Me, Summary } from '../api/shapes.ts';
import { type EyeName, eyesFor } from '../scene/eyes.ts';
import { sameMoment } from '../time/marks.ts';
import { createTape, deriveView, type Tape } from '../time/tape.ts';

/** Whether the bearer may make links to the table. */
export const mayShare = (me: Me, { table }: Summary): boolean => me.role === 'admin' || (me.role === 'seat' && me.table === table);

/** Makes a link to watch a table as the audience, or finds that of the same key. @throws ApiProblem */
export const makeLink = (client: ApiClient, table: string, key: string) =>
  client.post('/tokens', {}, { role: 'spectator', table, isLink: true }, { key });

/** Who holds such a link. */
export const holderOf = ({ table }: Summary): Me => ({ role: 'spectator', table }) as Me;

/**
 * The address that opens a moment through the eye that the holder of the link has: the same one, or that of the audience.
 * @param tape what the eye has seen
 */
export function momentAddress(
  origin: string,
  code: string,
  moment: { readonly summary: Summary; readonly eye: EyeName; readonly n: number; readonly tape: Tape },
): string {
  const { summary, eye, n, tape } = moment;
  const isSame = eyesFor(holderOf(summary), summary).includes(eye);
  const at = isSame ? n : publicPosition(tape, n);
  const address = new URL(linkAddress(origin, code));
  address.searchParams.set('as', isSame ? eye : 'audience');
  address.searchParams.set('at', String(at));
  return address.href;
}

/** The position of a moment in what the audience has seen. */
function publicPosition(tape: Tape, n: number): number {
  const seen = createTape();
  deriveView(tape, 'audience', seen, 0);
  return Math.max(1, sameMoment(tape, n, seen));
}

/** What the server said of the addresses of this page. */
export type Addressed = Pick<Me, 'networkHost'> | undefined;

/** Whether the page was opened at an address that only this machine has, and no other is known. */
export const isOnlyHere = (me: Addressed): boolean => isAtHome() && me?.networkHost === undefined;

/** The address of this page for others, as far as it is known. */
export const addressForOthers = (me: Addressed): string =>
  isAtHome() && me?.networkHost !== undefined ? `${location.protocol}//${me.networkHost}:${location.port}` : location.origin;

const isAtHome = (): boolean => /^(localhost|127\.|\[::1\])/.test(location.hostname);
