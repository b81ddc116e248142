import type { BodyOf } from '@maw/contracts/http/routes.ts';

export const ROLES = ['join', 'seat', 'spectator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What is typed into the form for a new token. */
export interface TokenDraft {
  readonly role: Role;
  readonly table: string;
  /** Empty: an invitation to any free seat. */
  readonly seat: string;
  readonly view: 'audience' | 'narrator';
  readonly name: string;
  /** Empty: the usual time. */
  readonly days: string;
}

const DAY_MS = 86_400_000;

/** The body of `POST /tokens`; the server says what is missing in it. */
export function tokenBody({ role, table, seat, view, name, days }: TokenDraft): BodyOf<'POST /tokens'> {
  const rest = { ...(name.trim() && { name: name.trim() }), ...(days && { ttlMs: Math.round(Number(days) * DAY_MS) }) };
  const place = { table, ...(role === 'spectator' ? { view } : seat === '' ? {} : { seat: Number(seat) }) };
  return { role, ...(role === 'admin' ? {} : place), ...rest } as BodyOf<'POST /tokens'>;
}

/** The address at which a token is used; it stands in the fragment, which no server sees. */
export function tokenLink(origin: string, role: Role, table: string, token: string): string {
  const at = `/t/${encodeURIComponent(table)}`;
  const path = { admin: '/console/operate', join: `${at}/join`, seat: at, spectator: at }[role];
  return `${origin}${path}#token=${token}`;
}
